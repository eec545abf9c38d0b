# SPDX-License-Identifier: MIT
"""Videos of every kind: what weft makes of a clip is what it makes of the clip's frames, one by one, as ffmpeg and zimg take them
out, to a step; and the streams beside them are as before."""

import json
import subprocess

import tool
from tool import check, check_in, need, weft
from video import HEIGHT, WIDTH, differs, ffmpeg, frames, need_video, packets, probe, source

LUMA = WIDTH * HEIGHT
# How the clip is stored: pixels, the codec's words, the container.
STORED = (("yuv420p", ("-c:v", "libx264"), "mp4"), ("yuv422p", ("-c:v", "libx264"), "mp4"), ("yuv444p", ("-c:v", "libx264"), "mkv"),
          ("nv12", ("-c:v", "rawvideo"), "raw"),
          ("yuv420p10le", ("-c:v", "libx264"), "mp4"), ("yuv422p10le", ("-c:v", "libx264"), "mkv"),
          ("yuv444p10le", ("-c:v", "ffv1"), "mkv"), ("p010le", ("-c:v", "rawvideo"), "raw"))


def store(name, pixels, codec, *words, seconds=1, more=""):
    if pixels == "p010le": # of swscale's the lower bits are not all 0
        store(name, "yuv420p10le", codec, *words, seconds=seconds, more=more)
        with open(name, "rb") as file:
            data = memoryview(file.read()).cast("H")
        with open(name, "wb") as file:
            for start in range(0, len(data), LUMA * 3 // 2):
                chroma, pair = data[start + LUMA:start + LUMA * 3 // 2], LUMA // 4
                both = [chroma[i // 2 + i % 2 * pair] for i in range(2 * pair)]
                file.write(b"".join((value << 6).to_bytes(2, "little") for value in [*data[start:start + LUMA], *both]))
        return
    ffmpeg(*source(seconds), *words, "-vf", f"scale=out_color_matrix=bt601:out_range=tv{more}", "-pix_fmt", pixels, *codec,
           "-colorspace", "smpte170m", "-color_range", "tv", *(("-f", "rawvideo") if name.endswith(".raw") else ()), name)


def taken(name, pixels, to, *words):
    """The frames of a clip that was stored so, as pixels of another format."""
    bare = ("-f", "rawvideo", "-pix_fmt", pixels, "-s", f"{WIDTH}x{HEIGHT}") if name.endswith(".raw") else ()
    return ffmpeg("-noautorotate", *bare, "-i", name, *words, "-f", "rawvideo", "-pix_fmt", to, "-")


def run(name, pixels, graph, out, *words):
    """A graph on a clip that was stored so, to bare pixels; these come back as planes."""
    weft("run", name, graph, f"made.raw[container=rawvideo,codec=rawvideo,pixels={out}]", *words,
         *(("--raw", f"{WIDTH}x{HEIGHT}:{pixels}@10") if name.endswith(".raw") else ("--from", "0")))
    return taken("made.raw", out, planar(out))


def planar(pixels):
    """The format of planes that holds the same samples."""
    return {"nv12": "yuv420p", "p010le": "yuv420p10le"}.get(pixels, pixels)


def shares(pixels):
    """Columns and rows of pixels that share a sample of chroma."""
    return (1, 1) if "444" in planar(pixels) else (2, 1) if "422" in planar(pixels) else (2, 2)


def bits(pixels):
    return 10 if "10" in pixels else 8


def samples(data, pixels):
    return memoryview(data).cast("H") if bits(pixels) > 8 else data


def swapped(data):
    """Samples of 16 bits with their bytes the other way, as PNM has them."""
    made = bytearray(data)
    made[0::2], made[1::2] = data[1::2], data[0::2]
    return bytes(made)


def filtered(graph, width, height, channels, data, most):
    """What weft makes of a picture of bytes, or of 16-bit samples in this machine's order."""
    with open("frame.pnm", "wb") as file:
        file.write(b"P%d\n%d %d\n%d\n" % (6 if channels == 3 else 5, width, height, most) + (swapped(data) if most > 255 else data))
    weft("run", "frame.pnm", graph, "made.pnm")
    with open("made.pnm", "rb") as file:
        made = file.read()
    size = len(data)
    return swapped(made[-size:]) if most > 255 else made[-size:]


def to_colors(words="", also=""):
    return f"{also}zscale=min=170m:rangein=limited:m=gbr:range=full:c=left:cin=left:filter=bilinear,format=gbrp16{words}"


def test_clips_as_their_frames():
    """In red, green and blue: each frame is converted by zimg, filtered as a picture, and compared in 16 bits, to a step of the
    clip's; then the video's own planes with what zimg makes of the filtered pictures."""
    need("gaussian", "saturation")
    need_video()
    graph, size = "gaussian=1.2,saturation=0.6", 6 * LUMA
    for pixels, codec, ending in STORED:
        name, step = f"in.{ending}", 65535 / ((1 << bits(pixels)) - 1)
        store(name, pixels, codec)
        colors, made = taken(name, pixels, "rgb48le", "-vf", to_colors()), run(name, pixels, graph, "rgb48le")
        check(len(made) == len(colors) == 10 * size, (pixels, len(made)))
        same = run(name, pixels, graph, pixels)
        for frame in (0, 9):
            wanted = filtered(graph, WIDTH, HEIGHT, 3, colors[frame * size:(frame + 1) * size], 65535)
            check(differs(samples(wanted, "10"), samples(made[frame * size:(frame + 1) * size], "10")) <= step, (pixels, frame))
            back = ffmpeg("-f", "rawvideo", "-pix_fmt", "rgb48le", "-s", f"{WIDTH}x{HEIGHT}", "-i", "-", "-vf",
                          "format=gbrp16,zscale=min=gbr:rangein=full:m=170m:range=limited:c=left:filter=bilinear,"
                          f"format={planar(pixels)}", "-f", "rawvideo", "-pix_fmt", planar(pixels), "-", data=wanted)
            part = same[frame * len(back):(frame + 1) * len(back)]
            check(differs(samples(back, pixels), samples(part, pixels)) <= 1, (pixels, frame, "planes"))


def test_planes_as_their_pictures():
    """Every plane by itself, of all depths and layouts: what the graph makes of it as a picture of as many bits."""
    need("gaussian")
    need_video()
    for pixels, codec, ending in STORED:
        name, most = f"in.{ending}", (1 << bits(pixels)) - 1
        across, down = shares(pixels)
        store(name, pixels, codec)
        before, after = taken(name, pixels, planar(pixels)), run(name, pixels, "gaussian=2", pixels, "--planes", "each")
        check(len(before) == len(after), pixels)
        small, start = LUMA // across // down, 0
        for width, height in ((WIDTH, HEIGHT), (WIDTH // across, HEIGHT // down), (WIDTH // across, HEIGHT // down)):
            end = start + width * height * (2 if most > 255 else 1)
            data = before[start:end]
            if most > 255: # PNM of 16 bits, so that what comes out has as many steps
                data = b"".join(((value * 65535 + most // 2) // most).to_bytes(2, "little") for value in samples(data, pixels))
            wanted = filtered("gaussian=2", width, height, 1, data, 255 if most == 255 else 65535)
            part = after[start:end]
            if most > 255:
                wanted = [(value * most + 32767) // 65535 for value in samples(wanted, pixels)]
            check(differs(wanted, samples(part, pixels)) <= (1 if most > 255 else 0), (pixels, start))
            start = end
        check(start == (LUMA + 2 * small) * (2 if most > 255 else 1), pixels)


def counted(name):
    """Frames, durations in all, and the video's stream, as ffprobe tells."""
    done = subprocess.check_output(["ffprobe", "-v", "error", "-of", "json", "-count_frames", "-select_streams", "v:0",
                                    "-show_streams", "-show_format", name])
    told = json.loads(done)
    return int(told["streams"][0]["nb_read_frames"]), float(told["format"]["duration"]), told["streams"][0]


def test_streams_beside():
    """Of 8 and 10 bits, in the usual containers: as many frames, as long, and sound and subtitles packet for packet."""
    need("brightness")
    need_video()
    with open("in.srt", "w") as file:
        file.write("1\n00:00:00,100 --> 00:00:00,900\nwords\n\n2\n00:00:01,200 --> 00:00:01,900\nmore\n")
    for ending, pixels, sound, text in (("mp4", "yuv420p", "aac", "mov_text"), ("mkv", "yuv422p10le", "flac", "subrip"),
                                        ("mov", "yuv444p", "pcm_s16le", "mov_text")):
        name = f"in.{ending}"
        ffmpeg(*source(2), "-f", "lavfi", "-i", "sine=duration=2:sample_rate=48000", "-i", "in.srt", "-map", "0", "-map", "1",
               "-map",
               "2", "-c:v", "libx264", "-bf", "2", "-pix_fmt", pixels, "-c:a", sound, "-c:s", text, name)
        weft("run", name, "brightness=0.1", f"out.{ending}[pixels={pixels}]")
        before, after = counted(name), counted(f"out.{ending}")
        check(before[0] == after[0] == 20, (ending, before[0], after[0]))
        check(abs(before[1] - after[1]) < 0.02, (ending, before[1], after[1]))
        check(after[2]["pix_fmt"] == pixels, after[2])
        check([p["pts_time"] for p in packets(name, "v")] and sorted(float(p["pts_time"]) for p in packets(name, "v")) ==
              sorted(float(p["pts_time"]) for p in packets(f"out.{ending}", "v")), ending)
        for kind in ("a", "s"):
            check(packets(name, kind) == packets(f"out.{ending}", kind) and packets(name, kind), (ending, kind))


def test_uneven_times_as_frames():
    """Frames that come at uneven times: the frames are the same, and at the same times."""
    need("gaussian")
    need_video()
    ffmpeg(*source(2), "-vf", "settb=1/1000,select='not(eq(n,3))*not(eq(n,11))',setpts=PTS+17*mod(N\\,3)", "-vsync", "vfr",
           "-enc_time_base", "1:1000", "-c:v", "ffv1", "-pix_fmt", "yuv420p", "in.mkv")
    weft("run", "in.mkv", "gaussian=2", "out.mkv[codec=ffv1]", "--planes", "each")
    check([p["pts_time"] for p in packets("in.mkv", "v")] == [p["pts_time"] for p in packets("out.mkv", "v")], "other times")
    check(len(packets("out.mkv", "v")) == 18)
    before, after = (frames(name, "yuv420p", "-vsync", "passthrough") for name in ("in.mkv", "out.mkv"))
    for frame in (0, 7, 17):
        start = frame * LUMA * 3 // 2
        wanted = filtered("gaussian=2", WIDTH, HEIGHT, 1, before[start:start + LUMA], 255)
        check(wanted == after[start:start + LUMA], frame)


def test_turned_clips():
    """A clip that players turn is filtered as it is stored, and stays one that they turn."""
    need("gaussian")
    need_video()
    store("made.mp4", "yuv420p", ("-c:v", "libx264"))
    ffmpeg("-i", "made.mp4", "-c", "copy", "-metadata:s:v", "rotate=90", "in.mp4")
    weft("run", "in.mp4", "gaussian=2", "out.mp4[qp=0]", "--planes", "each")
    turned = [stream["side_data_list"][0]["rotation"] for name in ("in.mp4", "out.mp4") for stream in probe(name)["streams"]]
    check(turned[0] == turned[1] and abs(turned[0]) == 90, turned)
    before, after = frames("in.mp4", "yuv420p"), frames("out.mp4", "yuv420p")
    check(len(before) == len(after) == 10 * LUMA * 3 // 2)
    check(filtered("gaussian=2", WIDTH, HEIGHT, 1, before[:LUMA], 255) == after[:LUMA])


def field_order(name):
    stream, = (stream for stream in probe(name)["streams"] if stream["codec_type"] == "video")
    shown = json.loads(subprocess.check_output(["ffprobe", "-v", "error", "-of", "json", "-show_frames", "-select_streams", "v",
                                                name]))["frames"]
    return stream.get("field_order"), {(frame["interlaced_frame"], frame["top_field_first"]) for frame in shown}


def test_interlaced_clips():
    """Interlaced frames go through the graph whole, and what is made of them says so too, and which field is first."""
    need("invert")
    need_video()
    for order, flags in (("tff", "top=1"), ("bff", "top=0")):
        ffmpeg(*source(1), "-vf", f"setfield={order}", "-c:v", "ffv1", "-pix_fmt", "yuv420p", "-field_order",
               "tt" if order == "tff" else "bb", "in.mkv")
        ffmpeg(*source(1), "-vf", f"setfield={order}", "-c:v", "libx264", "-x264opts", order, "-flags", "+ildct", "-pix_fmt",
               "yuv420p", "in.mp4")
        for before, after in (("in.mkv", "out.mkv[codec=ffv1]"), ("in.mp4", "out.mp4")):
            weft("run", before, "invert", after, "--planes", "y")
            wanted, got = field_order(before), field_order(after.split("[")[0])
            check(wanted == got and wanted[1] == {(1, int(order == "tff"))}, (before, wanted, got))


def test_chroma_by_another_graph():
    """Luma by one graph and chroma by another: each plane is what its graph makes of it as a picture; '' keeps planes."""
    need("gaussian", "brightness", "contrast")
    need_video()
    for pixels, codec, ending in (STORED[0], STORED[3], STORED[5]):
        name, most = f"in.{ending}", (1 << bits(pixels)) - 1
        store(name, pixels, codec)
        before = samples(taken(name, pixels, planar(pixels)), pixels)[:LUMA * 3 // 2]
        for luma, chroma in (("brightness=0.1,gaussian=2", "contrast=1.3"), ("", "gaussian=1"), ("invert", "")):
            after = samples(run(name, pixels, luma, pixels, "--chroma", chroma), pixels)[:LUMA * 3 // 2]
            for start, end, graph in ((0, LUMA, luma), (LUMA, LUMA * 5 // 4, chroma), (LUMA * 5 // 4, LUMA * 3 // 2, chroma)):
                width = WIDTH if start == 0 else WIDTH // 2
                if graph:
                    data = b"".join(((value * 65535 + most // 2) // most).to_bytes(2, "little") for value in before[start:end])
                    made = samples(filtered(graph, width, (end - start) // width, 1, data, 65535), "10")
                    wanted = [(value * most + 32767) // 65535 for value in made]
                else:
                    wanted = before[start:end]
                check(differs(wanted, after[start:end]) <= (1 if graph else 0), (pixels, luma, chroma, start))
    _, errors = weft("run", "in.mp4", "invert", "out.mkv", "--chroma", "split[a][b];[a]invert;[b]gaussian=1", status=2)
    check_in("as many inputs and outputs", errors)
    weft("run", "in.mp4", "invert", "out.mkv", "--chroma", "invrt", status=2)
    weft("run", "in.mp4", "invert", "out.mkv", "--chroma", "invert", "--planes", "y", status=2)
