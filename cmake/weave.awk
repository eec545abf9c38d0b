# SPDX-License-Identifier: MIT
# weave.awk: PTX of a kernel's woven form (kernels/gpu/woven.h) as weft completes it at run time. Every function woven_NAME
# becomes a section, "//@ NAME" and its body as text to be put anywhere: what the function takes and returns are registers
# of the surroundings, %NAME_K_OFFSET for the word at that offset of argument K and %NAME_r_OFFSET for that of the result,
# the NAME without its numbers; the letter o where it is one. All else, the kernel above all, is the first section, "//@ kernel",
# in which a call of a function that is not there is a line "//= NAME ARGUMENT...", for weft to put text there.
# What is not as expected stops the build.

function fail(what) {
    printf "weave.awk: line %d: %s: %s\n", NR, what, $0 > "/dev/stderr"
    failed = 1
    exit 1
}

function bits_of(type) {
    if (type ~ /^[usbf]64$/) return "b64"
    if (type ~ /^[usbf]32$/) return "b32"
    fail("a type that is not known")
}

# "ld.param.f32 	%f1, [woven_3_param_0+4];" and "st.param.f32 	[func_retval0+4], %f1;" as moves.
function move(line,    part, type, offset, argument) {
    split(line, part, /[ \t,;]+/)
    type = part[2]
    sub(/^.*\./, "", type)
    if (part[2] ~ /^ld\.param\.[a-z0-9]+$/) {
        argument = part[4]
        offset = argument ~ /\+/ ? argument : "+0"
        sub(/^.*\+/, "", offset)
        sub(/\].*$/, "", offset)
        sub(/^.*_param_/, "", argument)
        sub(/[+\]].*$/, "", argument)
        if (part[3] ~ /^%rd/ && type ~ /^[us]32$/) # it is widened on the way
            return "\tcvt." substr(type, 1, 1) "64." type " " part[3] ", %" prefix "_" argument "_" offset ";"
        return "\tmov." bits_of(type) " " part[3] ", %" prefix "_" argument "_" offset ";"
    }
    if (part[2] ~ /^st\.param\.[a-z0-9]+$/) {
        offset = part[3] ~ /\+/ ? part[3] : "+0"
        sub(/^.*\+/, "", offset)
        sub(/\].*$/, "", offset)
        return "\tmov." bits_of(type) " %" prefix "_r_" offset ", " part[4] ";"
    }
    fail("an argument that is not a word")
}

# The order of the text is the compiler's: the kernel's own lines are kept until the end.
/^\.visible \.func .*woven_[a-z0-9]+\($/ {
    name = $0
    sub(/\($/, "", name)
    sub(/^.*woven_/, "", name)
    prefix = name ~ /^[0-9]/ ? "o" : name
    sub(/[0-9]+$/, "", prefix)
    inside = 1
    sections = sections "//@ " name "\n"
    next
}
inside == 1 { # its arguments
    if ($0 == "{") inside = 2
    next
}
inside == 2 && /^}/ {
    sections = sections "$WOVEN:\n"
    inside = 0
    next
}
inside == 2 {
    told = /^[ \t]*ld\.param\.[a-z0-9]+ +%[a-z0-9]+, *\[%/ # of the kernel's parameters (woven.h)
    if (!told && /[ \t](ld|st)\.param/) $0 = move($0)
    sub(/^\tret;$/, "\tbra.uni $WOVEN;")
    if (!told && /param|call|\.loc|\$WOVEN[^;]/) fail("what a section cannot have")
    sections = sections $0 "\n"
    next
}
# Nothing in it is newer than this version, which older drivers know.
/^\.version / { $0 = ".version 7.7" }
# What takes its place knows that the launch is among the kernel's parameters.
/^\tcvta\.param\.u64/ { sub(/cvta\.param\.u64/, "mov.b64") }
# What is called comes in place of the call.
/^\.extern \.func/ { outside = 1 }
outside {
    if (/^;/) outside = 0
    next
}
/{ \/\/ callseq/ {
    calling = 1
    callee = arguments = ""
    next
}
/} \/\/ callseq/ {
    if (callee == "") fail("a call of nothing")
    kernel = kernel "//= " callee arguments "\n"
    calling = 0
    next
}
calling {
    if (/^\tst\.param/) {
        sub(/^.*, /, "")
        sub(/;.*$/, "")
        arguments = arguments " " $0
    } else if (/^\twoven_/) {
        callee = $0
        gsub(/[\t,; ]|woven_/, "", callee)
    }
    next
}
/^[ \t]*\/\// { next }
/^$/ { next }
{ kernel = kernel $0 "\n" }

END {
    if (failed) exit 1
    if (kernel !~ /\.entry/ || sections == "") {
        print "weave.awk: there is no kernel, or no function of the name woven_NAME" > "/dev/stderr"
        exit 1
    }
    printf "//@ kernel\n%s%s//@ end\n", kernel, sections
}
