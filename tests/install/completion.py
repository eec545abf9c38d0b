# SPDX-License-Identifier: MIT
"""What the installed completions offer, asked of the shells themselves where they are there."""

import os
import re
import shutil
import subprocess

CASES = [  # the line up to the cursor, what must be offered, what must not
    ("weft ", ["run", "plan", "devices", "gaussian"], ["sigma="]),
    ("weft gauss", ["gaussian"], ["sobel"]),
    ("weft help cookb", ["cookbook"], ["run"]),
    ("weft gaussian in.png out.png --si", ["--sigma"], ["--radius"]),
    ("weft gaussian in.png out.png --thr", ["--threads"], ["--sigma"]),
    ("weft overlay in.png logo.png out.png --gravity sou", ["south", "southeast"], ["north"]),
    ("weft overlay in.png logo.png out.png --gravity=sou", ["south", "southeast"], ["north"]),
    ("weft gaussian in.png out.png --border mi", ["mirror"], ["wrap"]),
    ("weft convert in.png out --to we", ["webp"], ["png"]),
    ("weft run in.png gaussian=sigma=2:border=mi", ["mirror"], ["wrap", "sigma="]),
    ("weft run in.png overlay=south", ["southeast"], ["north"]),
    ("weft run in.png 'gaussian=2,overlay=gravity=nor", ["gravity=northwest"], []),
    ("weft help gauss", ["gaussian"], ["sobel"]),
    ("weft plan --si", ["--size"], ["--quality"]),
    ("weft run in.png gau", ["gaussian"], ["sobel"]),
    ("weft run in.png gaussian=si", ["sigma="], ["radius="]),
    ("weft run in.png gaussian=sigma=2:bo", ["border="], ["sigma="]),
    ("weft run in.png 'gaussian=2,sob", ["gaussian=2,sobel"], ["invert"]),
    ("weft run in.png 'gaussian=2;[0]gaussian=sigma=1:bo", ["gaussian=2;[0]gaussian=sigma=1:border="], []),
]

# What zsh's completion would add, by stand-ins for the parts of zle that it calls.
ZSH = r"""
compdef() { :; }
_files() { print -- in.png; }
compset() { PREFIX=${PREFIX##${~2}}; }
compadd() { while [[ $1 != -- ]]; do shift; done; shift; local w; for w; do [[ $w == $PREFIX* ]] && print -r -- $w; done; }
source $1
PREFIX=${2##* } PREFIX=${PREFIX#[\'\"]}
words=(${(s: :)2}) CURRENT=$3
[[ $2 == *' ' ]] && words+=('')
_weft
"""

BASH = r"""
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
COMP_WORDS=($3) COMP_CWORD=$4
_weft
printf '%s\n' "${COMPREPLY[@]}"
"""


def offers(words, **options):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, **options)
    return done.stdout.split("\n"), done.stderr


def judge(shell, line, offered, wanted, unwanted):
    """Shells replace more or less of what is typed, so only the end of an offer is the same everywhere."""
    for want in wanted:
        yield any(offer.endswith(want) for offer in offered), f"{shell}: '{line}' offers {want}: {offered[:6]}"
    for none in unwanted:
        yield not any(offer.endswith(none) for offer in offered), f"{shell}: '{line}' offers {none}"


def checks(tree):
    bash = os.path.join(tree, "share", "bash-completion", "completions", "weft")
    zsh = os.path.join(tree, "share", "zsh", "site-functions", "_weft")
    fish = os.path.join(tree, "share", "fish", "vendor_completions.d", "weft.fish")
    path = dict(os.environ, PATH=os.path.join(tree, "bin") + os.pathsep + os.environ["PATH"])
    for line, wanted, unwanted in CASES:
        words = line.split(" ")
        if shutil.which("bash"):
            offered, said = offers(["bash", "-c", BASH, "-", bash, line, " ".join(words[:-1]), str(len(words) - 1)])
            yield not said, f"bash: '{line}' is quiet: {said}"
            yield from judge("bash", line, offered, wanted, unwanted)
        if shutil.which("zsh"):
            offered, said = offers(["zsh", "-f", "-c", ZSH, "-", zsh, line, str(len(words))])
            yield not said, f"zsh: '{line}' is quiet: {said}"
            yield from judge("zsh", line, offered, [re.split(r"[],;:]|=(?!$)", want)[-1] for want in wanted],
                             unwanted)
        if shutil.which("fish"):
            offered, said = offers(["fish", "--no-config", "-c", f"source {fish}; complete -C $argv[1]", "--", line], env=path)
            yield from judge("fish", line, [offer.split("\t")[0] for offer in offered], wanted, unwanted)
    for shell, file in (("bash", bash), ("zsh", zsh), ("fish", fish)):
        if shutil.which(shell):
            done = subprocess.run([shell, "-n", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            yield done.returncode == 0, f"{shell} reads its completion: {done.stdout}"
