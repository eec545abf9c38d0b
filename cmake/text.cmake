# cmake -DIN=FILE -DOUT=FILE.c -DNAME=NAME -P text.cmake: a C array of the bytes of a text, with a 0 behind them.
file(READ ${IN} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}00")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUT} "extern const unsigned char ${NAME}[];\nconst unsigned char ${NAME}[] = {\n${bytes}};\n")
