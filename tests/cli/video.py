# SPDX-License-Identifier: MIT
"""Videos: clips of ffmpeg's test sources through weft, compared with the same filter on frames that ffmpeg takes out, and by
what ffprobe says of the files."""

import json
import os
import re
import shutil
import signal
import subprocess
import time

import tool
from tool import Skip, check, check_in, need, weft

WIDTH, HEIGHT = 64, 48


def need_video():
    listed, _ = weft("list", "--formats")
    if "video by FFmpeg" not in listed:
        raise Skip("no video in this build")
    if not shutil.which("ffmpeg") or not shutil.which("ffprobe"):
        raise Skip("no ffmpeg")


def ffmpeg(*words, data=None):
    done = subprocess.run(["ffmpeg", "-v", "error", "-nostdin" if data is None else "-y", "-y", *words], input=data,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    if done.returncode:
        raise Skip(f"ffmpeg cannot: {done.stderr.decode()[-300:]}")
    return done.stdout


def source(seconds=1, rate=10, more=""):
    return ["-f", "lavfi", "-i", f"testsrc2=size={WIDTH}x{HEIGHT}:rate={rate}:duration={seconds}{more}"]


def clip(name, pixels="yuv420p", *words, seconds=1, rate=10, codec=("-c:v", "ffv1"), matrix="bt709", siting="left"):
    """A clip without loss, whose colors are tagged."""
    ffmpeg(*source(seconds, rate), *words, "-pix_fmt", pixels, *codec, "-colorspace", matrix, "-color_range", "tv",
           "-chroma_sample_location", siting, "-vf", f"scale=out_color_matrix={matrix.replace('nc', '')}:out_range=tv", name)


def probe(name, *words):
    done = subprocess.check_output(["ffprobe", "-v", "error", "-of", "json", "-show_streams", "-show_format",
                                    "-show_chapters", *words, name])
    return json.loads(done)


def packets(name, kind):
    done = subprocess.check_output(["ffprobe", "-v", "error", "-of", "json", "-select_streams", kind, "-show_packets",
                                    "-show_entries", "packet=pts_time,duration_time,size,data_hash", "-show_data_hash", "md5",
                                    name])
    return json.loads(done)["packets"]


def frames(name, pixels="rgb24", *words):
    """All frames as bytes of these pixels."""
    return ffmpeg("-noautorotate", "-i", name, *words, "-f", "rawvideo", "-pix_fmt", pixels, "-")


def accurate(matrix="709", siting="left"):
    return f"zscale=min={matrix}:rangein=limited:m=gbr:range=full:c={siting}:cin={siting}:filter=bilinear"


def differs(one, two):
    check(len(one) == len(two), f"{len(one)} bytes, not {len(two)}")
    return max(abs(a - b) for a, b in zip(one, two)) if one else 0


def words_of(data):
    return memoryview(data).cast("H")


def test_build_without_video():
    """It says how to get it, and takes the first picture of an animation."""
    need("invert")
    whole, beside = tool.path, os.path.join(os.path.dirname(tool.path), "tests", "weft_without_video")
    listed, _ = weft("list", "--formats")
    if "video by FFmpeg" in listed:
        if not os.path.exists(beside):
            raise Skip("video is there, and no tool without it is built")
        tool.path = beside
    try:
        check_in("video is not there", weft("list", "--formats")[0])
        without_video("libavformat-dev")
    finally:
        tool.path = whole


def test_machine_without_video():
    """The same where weft is built with video, and FFmpeg's libraries are not installed."""
    need("invert")
    need_video()
    major = re.search(r"libavformat (\d+)", weft("list", "--formats")[0]).group(1)
    with open(f"libavformat.so.{major}", "wb"):
        pass  # which is found first, and is none
    without_video("which are not installed", {"LD_LIBRARY_PATH": os.getcwd()})


def without_video(said, env=None):
    with open("in.mp4", "wb") as file:
        file.write(bytes(100))
    for words in (("in.mp4", "out.mp4"), ("frames/%05d.png", "out.png"), ("in.mp4", "out.png")):
        _, errors = weft("run", words[0], "invert", words[1], status=1, env=env)
        check_in(said, errors)
    tool.write_ppm("in.ppm")
    weft("run", "in.ppm", "invert", "one.png", env=env)
    os.rename("one.png", "one.apng")
    weft("run", "one.apng", "invert", "two.png", env=env)


def test_formats_of_pixels():
    """Every depth and subsampling to red, green and blue and through a filter, against zimg's conversion."""
    need("invert")
    need_video()
    for pixels, siting in (("yuv420p", "left"), ("yuv420p", "topleft"), ("yuv422p", "left"), ("yuv444p", "left"),
                           ("yuv410p", "left"), ("yuv411p", "left"), ("yuv440p", "left"), ("yuv420p10le", "left"),
                           ("yuv422p10le", "left"), ("yuv444p12le", "left")):
        wide = "p1" in pixels and pixels != "yuv410p"
        name, planar, full = ("rgb48le", "gbrp16", 65535) if wide else ("rgb24", "gbrp", 255)
        clip("in.mkv", pixels, matrix="bt2020nc" if wide else "bt709", siting=siting)
        weft("run", "in.mkv", "invert", f"out.nut[codec=rawvideo,pixels={name}]")
        convert = f"{accurate('2020_ncl' if wide else '709', siting)},format={planar}"
        made, wanted = frames("out.nut", name), frames("in.mkv", name, "-vf", convert)
        made, wanted = (words_of(made), words_of(wanted)) if wide else (made, wanted)
        check(differs(made, [full - value for value in wanted]) <= 1, (pixels, siting))


def test_there_and_back():
    """There and back with a filter that does nothing, where chroma is not shared and colors can be shown."""
    need("exposure")
    need_video()
    for pixels in ("yuv444p", "yuv444p10le"):
        # Colors that can be shown: others are limited.
        ffmpeg(*source(), "-vf", "format=gbrp,scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", pixels, "-c:v", "ffv1",
               "-colorspace", "bt709", "-color_range", "tv", "in.mkv")
        weft("run", "in.mkv", "exposure=0", f"out.mkv[codec=ffv1,pixels={pixels}]")
        before, after = frames("in.mkv", pixels), frames("out.mkv", pixels)
        if "10" in pixels:
            before, after = words_of(before), words_of(after)
        check(differs(before, after) <= 1, pixels)


def test_few_steps():
    """Pixels of few bits come back as they were."""
    need("exposure")
    need_video()
    for pixels in ("rgb565le", "rgb555le", "rgb8", "bgr4_byte", "monob", "gray", "gray10le", "gbrp10le", "bgra"):
        data = ffmpeg(*source(), "-pix_fmt", pixels, "-f", "rawvideo", "-")
        made, _ = weft("run", "-", "exposure=0", f"-[container=rawvideo,codec=rawvideo,pixels={pixels}]", "--raw",
                       f"{WIDTH}x{HEIGHT}:{pixels}@10", data=data, text=False)
        check(made == data, pixels)


def test_luma_alone():
    need("gaussian")
    need_video()
    clip("in.mkv")
    weft("run", "in.mkv", "gaussian=2", "out.mkv[codec=ffv1]", "--planes", "y")
    before, after = frames("in.mkv", "yuv420p"), frames("out.mkv", "yuv420p")
    size, whole = WIDTH * HEIGHT, WIDTH * HEIGHT * 3 // 2
    for start in range(0, len(before), whole):
        check(before[start + size:start + whole] == after[start + size:start + whole], "chroma changed")
        check(before[start:start + size] != after[start:start + size], "luma did not change")
    with open("y.pgm", "wb") as file:
        file.write(b"P5\n%d %d\n255\n" % (WIDTH, HEIGHT) + before[:size])
    weft("run", "y.pgm", "gaussian=2", "z.pgm")
    check(differs(tool.read_ppm("z.pgm")[2], after[:size]) <= 1)


def test_each_plane():
    """Every plane by itself: what the graph makes of it as a picture."""
    need("gaussian", "median", "resize")
    need_video()
    clip("in.mkv", "yuv420p")
    size, whole = WIDTH * HEIGHT, WIDTH * HEIGHT * 3 // 2
    before = frames("in.mkv", "yuv420p")
    for graph, factor in (("gaussian=2", 1), ("median=1", 1), ("resize=scale=0.5", 2)):
        weft("run", "in.mkv", graph, "out.mkv[codec=ffv1]", "--planes", "each")
        after, small = frames("out.mkv", "yuv420p"), factor * factor
        check(len(after) * small == len(before), graph)
        for start, width, height in ((0, WIDTH, HEIGHT), (size, WIDTH // 2, HEIGHT // 2), (size * 5 // 4, WIDTH // 2, HEIGHT // 2)):
            with open("plane.pgm", "wb") as file:
                file.write(b"P5\n%d %d\n255\n" % (width, height) + before[start:start + width * height])
            weft("run", "plane.pgm", graph, "made.pgm")
            part = after[start // small:start // small + width * height // small]
            check(differs(tool.read_ppm("made.pgm")[2], part) == 0, (graph, start))
    fails("run", "in.mkv", "resize=32:24", "out.mkv", "--planes", "each", status=2, said="plane 2 of 'out.mkv' comes out as 32x24")


def test_frames_as_pictures():
    """A filter on the clip is the filter on its pictures."""
    need("gaussian", "sobel")
    need_video()
    clip("in.mkv", "yuv444p")
    for graph in ("gaussian=2", "brightness=0.1,saturation=1.5", "resize=32"):
        weft("run", "in.mkv", graph, "out.mkv[codec=ffv1,pixels=bgr0]")
        made = frames("out.mkv")
        size = len(made) // 10
        weft("run", "in.mkv", "invert,invert", "p%02d.png")
        for frame in (0, 9):
            weft("run", f"p{frame + 1:02d}.png", graph, "one.ppm")
            check(differs(tool.read_ppm("one.ppm")[2], made[frame * size:(frame + 1) * size]) <= 2, graph)


def test_sound_and_times():
    """Sound, subtitles, chapters, metadata and rotation are as before, and so are uneven times."""
    need("invert")
    need_video()
    with open("in.srt", "w") as file:
        file.write("1\n00:00:00,100 --> 00:00:01,500\nwords\n")
    with open("meta.txt", "w") as file:
        file.write(";FFMETADATA1\ntitle=a clip\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=one\n")
    ffmpeg(*source(2), "-f", "lavfi", "-i", "sine=duration=2", "-i", "in.srt", "-i", "meta.txt", "-map_metadata", "3", "-map",
           "0", "-map", "1", "-map", "2", "-vf",
           "settb=1/1000,select='not(eq(n,3))*not(eq(n,11))*not(eq(n,12))',setpts=PTS+17*mod(N\\,3)", "-vsync",
           "vfr", "-enc_time_base", "1:1000", "-c:v", "libx264", "-c:a", "aac", "-c:s", "mov_text", "-pix_fmt", "yuv420p", "-t",
           "2", "made.mp4")
    ffmpeg("-i", "made.mp4", "-map", "0", "-c", "copy", "-metadata:s:v", "rotate=90", "in.mp4")
    weft("run", "in.mp4", "invert", "out.mp4")
    before, after = packets("in.mp4", "v"), packets("out.mp4", "v")
    times = [sorted(float(packet["pts_time"]) for packet in side) for side in (before, after)]
    check(times[0] == times[1], times)
    check(len(times[0]) == 17, times[0])
    for kind in ("a", "s"):
        before, after = packets("in.mp4", kind), packets("out.mp4", kind)
        check(before and before == after, kind)
    before, after = probe("in.mp4"), probe("out.mp4")
    check(abs(float(before["format"]["duration"]) - float(after["format"]["duration"])) < 0.02)
    check(after["format"]["tags"]["title"] == "a clip")
    check(len(after["chapters"]) == 1 and after["chapters"][0]["tags"]["title"] == "one")
    turned = [stream.get("side_data_list", [{}])[0].get("rotation") for side in (before, after)
              for stream in side["streams"] if stream["codec_type"] == "video"]
    check(turned[0] == turned[1] and turned[0] in (90, -90), turned)
    weft("run", "in.mp4", "invert", "out.mkv", "--strip")
    check(len(packets("out.mkv", "a")) == len(packets("in.mp4", "a")))
    check("title" not in {key.lower() for key in probe("out.mkv")["format"].get("tags", {})})


def test_cuts():
    need("invert")
    need_video()
    ffmpeg(*source(4), "-f", "lavfi", "-i", "sine=duration=4", "-c:v", "libx264", "-g", "15", "-c:a", "aac", "-pix_fmt",
           "yuv420p", "in.mp4")
    weft("run", "in.mp4", "invert", "out.mkv[codec=ffv1]", "--from", "1.5", "--to", "3")
    made, whole = frames("out.mkv", "yuv420p"), None
    check(len(made) == 15 * WIDTH * HEIGHT * 3 // 2, len(made))
    weft("run", "in.mp4", "invert", "all.mkv[codec=ffv1]")
    whole = frames("all.mkv", "yuv420p")
    size = WIDTH * HEIGHT * 3 // 2
    check(made == whole[15 * size:30 * size], "other frames")
    sound = packets("out.mkv", "a")
    check(abs(float(sound[-1]["pts_time"]) - 1.5) < 0.1 and float(sound[0]["pts_time"]) < 0.05, (sound[0], sound[-1]))
    weft("run", "in.mp4", "invert", "out.mkv[codec=ffv1]", "--frames", "7")
    check(len(frames("out.mkv", "gray")) == 7 * WIDTH * HEIGHT)
    check(abs(float(packets("out.mkv", "a")[-1]["pts_time"]) - 0.7) < 0.1)


def test_pictures_and_videos():
    """A still of a video, a video of a still, sequences of pictures, animations."""
    need("invert")
    need_video()
    clip("in.mkv", "yuv444p")
    weft("run", "in.mkv", "invert", "still.png", "--from", "0.5")
    weft("run", "in.mkv", "invert", "p%03d.png")
    weft("run", "in.mkv", "invert", "new/folder/%03d.png")
    check(len(os.listdir("new/folder")) == 10, "folders of many pictures are made")
    _, said = weft("convert", "in.mkv[page=2]", "x.png", status=2)
    check("takes no options when it is read" in said and "--from" in said, said)
    check(len([name for name in os.listdir(".") if name.startswith("p0")]) == 10)
    ffmpeg(*source(), "-f", "lavfi", "-i", "sine=duration=1", "-c:v", "ffv1", "-c:a", "aac", "sound.mkv")
    _, said = weft("run", "sound.mkv", "invert", "s%03d.png")
    check(not said, said)
    one, two = (ffmpeg("-i", name, "-f", "rawvideo", "-pix_fmt", "rgb24", "-") for name in ("still.png", "p006.png"))
    check(differs(one, two) <= 1)
    weft("run", "p%03d.png", "invert", "back.mkv[codec=ffv1]")
    check(len(frames("back.mkv", "gray")) == 10 * WIDTH * HEIGHT)
    weft("run", "still.png", "invert", "loop.mp4", "--loop", "2s")
    check(abs(float(probe("loop.mp4")["format"]["duration"]) - 2) < 0.05)
    weft("run", "in.mkv", "invert", "out.gif")
    weft("run", "out.gif", "invert", "out.apng")
    check(len(packets("out.gif", "v")) == 10 and len(frames("out.apng", "gray")) == 10 * WIDTH * HEIGHT)


def test_pipes():
    need("invert")
    need_video()
    data = ffmpeg(*source(), "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "-")
    made, _ = weft("run", "-", "invert", "-", data=data, text=False)
    check(made.startswith(b"YUV4MPEG2 W64 H48 F10:1"), made[:40])
    check(len(made) > 10 * WIDTH * HEIGHT * 3 // 2 and made != data)
    raw = ffmpeg(*source(), "-pix_fmt", "rgb24", "-f", "rawvideo", "-")
    made, _ = weft("run", "-", "invert", "-[container=rawvideo,codec=rawvideo,pixels=rgb24]", "--raw",
                   f"{WIDTH}x{HEIGHT}:rgb24@10", data=raw, text=False)
    check(made == bytes(255 - value for value in raw))


def test_numbers():
    need("reduce")
    need_video()
    clip("in.mkv")
    weft("run", "in.mkv", "grayscale,reduce=mean", "means.csv")
    with open("means.csv") as file:
        lines = file.read().splitlines()
    check(lines[0] == "frame,seconds,value0" and len(lines) == 11, lines)
    check([line.split(",")[1] for line in lines[1:3]] == ["0.000000", "0.100000"])
    printed, _ = weft("run", "in.mkv", "split[a][b];[a]grayscale,reduce=mean;[b]invert", "out.mkv", "means.json")
    with open("means.json") as file:
        values = [json.loads(line)["values"][0] for line in file]
    check(len(values) == 10 and abs(values[3] - float(lines[4].split(",")[2])) < 1e-6)


def test_curves():
    """Parameters that change with time, those that decide the plan too: each frame is what its value makes."""
    need("exposure", "gaussian")
    need_video()
    clip("in.mkv", "yuv444p")
    for name, graph, low, high in (("exposure.exposure", "exposure=%g", 0, 1.8), ("gaussian.sigma", "gaussian=%g", 0, 3.6)):
        weft("run", "in.mkv", graph % 1, "out.mkv[codec=ffv1,pixels=bgr0]", "--param", f"{name}={low}@0s,{high}@0.9s")
        made, size = frames("out.mkv"), 3 * WIDTH * HEIGHT
        for frame in (0, 5, 9):
            weft("run", "in.mkv", graph % (high * frame / 9), "one.ppm", "--from", str(frame / 10))
            check(differs(tool.read_ppm("one.ppm")[2], made[frame * size:(frame + 1) * size]) <= 1, (name, frame))
    fails("run", "in.mkv", "invert", "out.mkv", "--param", "gaussian.sigma=1@0s", status=2, said="has no filter 'gaussian'")
    fails("run", "in.mkv", "gaussian=2", "out.mkv", "--param", "gaussian.sigma=1", status=2, said="--param takes")
    fails("run", "in.mkv", "gaussian=2", "out.mkv", "--param", "gaussian.sigma=1@2s,2@1s", status=2, said="do not grow")
    fails("run", "in.mkv", "resize=32", "out.mkv", "--param", "resize.width=32@0s,48@0.9s", status=2, said="changes the size")


def test_memory_of_frames():
    """Filters that remember frames do so along the video, as they do along pictures."""
    need("low_pass", "motion_detect")
    need_video()
    clip("in.mkv", "yuv444p")
    weft("run", "in.mkv", "low_pass=0.6", "out.mkv[codec=ffv1,pixels=bgr0]")
    weft("run", "in.mkv", "exposure=0", "p%02d.png")
    os.mkdir("out")
    weft("run", "p*.png", "low_pass=0.6", "-o", "out/{stem}.ppm", "--sequence")
    made, size = frames("out.mkv"), 3 * WIDTH * HEIGHT
    for frame in range(10):
        one = tool.read_ppm(f"out/p{frame + 1:02d}.ppm")[2]
        check(differs(one, made[frame * size:(frame + 1) * size]) <= 2, frame)


def fails(*words, status=1, said="", data=None):
    _, errors = weft(*words, status=status, data=data)
    check_in(said, errors)


def test_many_videos():
    need("invert")
    need_video()
    os.mkdir("in")
    os.mkdir("out")
    clip("in/a.mkv")
    clip("in/b.mkv", seconds=2)
    weft("run", "in/*.mkv", "invert", "-o", "out/{stem}-x.mp4")
    check([len(packets(f"out/{name}-x.mp4", "v")) for name in "ab"] == [10, 20], tool.files())
    weft("run", "in/*.mkv", "invert", "-o", "out/{stem}.bin[container=matroska]", "--frames", "2")
    check([len(packets(f"out/{name}.bin", "v")) for name in "ab"] == [2, 2], os.listdir("out"))
    for name in "ab":
        os.remove(f"out/{name}.bin")
    with open("in/c.mkv", "wb") as file:
        file.write(b"junk")
    fails("run", "in/*.mkv", "invert", "-o", "out/", said="1 of 3 videos failed")
    check(sorted(os.listdir("out")) == ["a-x.mp4", "a.mkv", "b-x.mp4", "b.mkv"], os.listdir("out"))


def test_bad_videos():
    need("invert", "crop")
    need_video()
    clip("in.mkv")
    for name, data in (("empty.mp4", b""), ("junk.mp4", b"\0junk" * 500), ("text.mkv", b"words\n" * 100)):
        with open(name, "wb") as file:
            file.write(data)
        fails("run", name, "invert", "out.mp4", said="cannot open")
    fails("run", "none.mp4", "invert", "out.mp4", said="No such file")
    ffmpeg("-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac", "sound.mp4")
    fails("run", "sound.mp4", "invert", "out.mp4", said="has no video in it")
    fails("run", "in.mkv", "crop=63:47", "out.mp4", status=2, said="odd")
    fails("run", "in.mkv", "invert", "out.mp4[codec=nothing]", status=2, said="has no video encoder 'nothing'")
    fails("run", "in.mkv", "invert", "out.mp4[pixels=rgb24]", status=2, said="it takes yuv420p")
    fails("run", "in.mkv", "invert", "out.mp4[cfr=3]", status=2, said="has an option 'cfr'")
    fails("run", "in.mkv", "invert", "out.webm[codec=libx264]", status=2, said="cannot hold")
    fails("run", "in.mkv", "invert", "out.mkv", "--from", "50", said="no frames at these times")
    fails("run", "in.mkv", "invert", "in.mkv/out.mp4", said="cannot write")
    fails("run", "in.mkv", "invert", "out.xyz", said="has the extension of no picture and no video")
    fails("run", "in.mkv", "invert", "out.mp4", "--raw", "8:8", "--from", "x", status=2, said="takes a time")
    clip("other.mkv", rate=25)
    need("blend_screen")
    fails("run", "in.mkv", "other.mkv", "blend_screen", "out.mkv", status=2, said="need one rate")
    check(not [name for name in os.listdir(".") if name.startswith((".out", "out"))], os.listdir("."))


def test_other_files_are_not_opened():
    need("invert")
    need_video()
    clip("in.ts", codec=("-c:v", "mpeg2video"))
    with open("list.m3u8", "w") as file:
        file.write("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nin.ts\n#EXT-X-ENDLIST\n")
    fails("run", "list.m3u8", "invert", "out.mkv", said="names another file or address")
    weft("run", "list.m3u8", "invert", "out.mkv", "--protocols", "file")
    check(len(packets("out.mkv", "v")) == 10)


def test_broken_videos():
    """Good frames are kept, and the exit status says that there were others."""
    need("invert")
    need_video()
    clip("whole.mkv", seconds=3)
    with open("whole.mkv", "rb") as file:
        data = file.read()
    with open("cut.mkv", "wb") as file:
        file.write(data[:len(data) // 2])
    fails("run", "cut.mkv", "invert", "out.mkv[codec=ffv1]", said="what came before is in 'out.mkv'")
    count = len(frames("out.mkv", "gray")) // (WIDTH * HEIGHT)
    check(10 <= count < 20, count)
    damaged = bytearray(data)
    for place in range(len(data) // 3, len(data) // 3 + 4000):
        damaged[place] ^= 0x5a
    with open("damaged.mkv", "wb") as file:
        file.write(damaged)
    status, said = tool.outcome("run", "damaged.mkv", "invert", "out.mkv[codec=ffv1]")
    check(status in (0, 1), said)
    check(len(frames("out.mkv", "gray")) // (WIDTH * HEIGHT) >= 10)


def test_frames_of_other_sizes():
    need("invert")
    need_video()
    with open("in.m2v", "wb") as out:
        for name, size in (("a.m2v", "64x48"), ("b.m2v", "96x64")):
            ffmpeg("-f", "lavfi", "-i", f"testsrc2=size={size}:rate=25:duration=0.4", "-c:v", "mpeg2video", name)
            with open(name, "rb") as part:
                out.write(part.read())
    os.rename("in.m2v", "in.mpg")
    fails("run", "in.mpg", "invert", "out.mkv[codec=ffv1]", said="is 96x64")
    check(len(frames("out.mkv", "gray")) // (WIDTH * HEIGHT) in (9, 10))


def test_interrupted_video():
    """After Ctrl-C the file plays."""
    need("gaussian")
    need_video()
    ffmpeg("-f", "lavfi", "-i", "testsrc2=size=640x480:rate=25:duration=60", "-c:v", "mpeg4", "-pix_fmt", "yuv420p", "in.mp4")
    process = subprocess.Popen([tool.path, "run", "in.mp4", "gaussian=6", "out.mp4[preset=ultrafast]"],
                               stderr=subprocess.PIPE)
    limit = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < limit and not any(
            name.startswith(".out.mp4.") and os.path.getsize(name) > 1000 for name in os.listdir(".")):
        time.sleep(0.05) # until frames are in the file
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    check(process.returncode == 130, (process.returncode, errors))
    check_in("which are in 'out.mp4'", errors.decode())
    count = len(packets("out.mp4", "v"))
    check(0 < count < 1500 and f"after {count} frames" in errors.decode(), (count, errors))
    check(len(frames("out.mp4", "gray")) == count * 640 * 480)
