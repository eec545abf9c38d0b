# SPDX-License-Identifier: MIT
# included.awk SOURCE...: the text of the first source and of all those that it includes, in whatever order, and of those
# that are no C: scripts.
FNR == 1 {
    files[++count] = FILENAME
    reached[FILENAME] = count == 1 || FILENAME !~ /\.(c|h|gpu)$/
}
{ text[FILENAME] = text[FILENAME] $0 "\n" }
/^ *# *include "/ {
    split($0, word, "\"")
    names[FILENAME, ++include_count[FILENAME]] = word[2]
}
# The file that an include means: of that path, or of one that ends in it.
function found(name,    i, path) {
    for (i = 1; i <= count; i++) {
        path = files[i]
        if (path == name || substr(path, length(path) - length(name)) == "/" name)
            return path
    }
    return ""
}
END {
    do {
        more = 0
        for (i = 1; i <= count; i++)
            if (reached[files[i]] && !looked_at[files[i]]++) {
                more = 1
                for (k = 1; k <= include_count[files[i]]; k++) {
                    path = found(names[files[i], k])
                    if (path != "")
                        reached[path] = 1
                }
            }
    } while (more)
    for (i = 1; i <= count; i++)
        if (reached[files[i]])
            printf "%s", text[files[i]]
}
