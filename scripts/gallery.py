#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Render scenes into a folder, and one page to hear and see them on.

  gallery.py JAWARI FOLDER [SCENE...]     without scenes: every built-in one

Each sound gets a player, its picture (waveform, spectrogram, energy, contacts), its string or plate in slow motion, its
energy ledger in words, the scene itself and the command that made it.  The page needs no network: sounds and pictures lie
beside it.  Two scenes are rendered at a time.
"""
import base64
import concurrent.futures
import html
import json
import os
import re
import subprocess
import sys
import time

ROWS = 144  # Of motion, about six periods
POINTS = 96  # Of a string
SIDE = 24  # Of a plate

# In words, for those that are no instruments
GROUPS = [("instruments", "Instruments"), ("experiments", "Experiments"), ("papers", "Systems of the papers")]

STYLE = """
:root{color-scheme:light dark;--ink:#1d2329;--soft:#4c555e;--line:#dfe3e7;--page:#f6f7f8;--card:#fff;--link:#1f6fb4;--wave:#1f6fb4}
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ec;--soft:#a9b2bb;--line:#2b3238;--page:#0e1114;--card:#14181c;--link:#5fb0f2;--wave:#5fb0f2}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}
main{max-width:1060px;margin:0 auto;padding:28px 18px 80px}h1{font-size:1.9rem;margin:.2em 0}h2{font-size:1.35rem;margin:2em 0 .2em}
h3{font-size:1.15rem;margin:0 0 .3em}p{margin:.5em 0;max-width:76ch}a{color:var(--link)}.soft{color:var(--soft);font-size:.92rem}
section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:18px 20px;margin:18px 0}
audio{width:100%;max-width:560px;display:block;margin:10px 0}img{display:block;max-width:100%;height:auto;margin:12px auto}
.scroll{overflow-x:auto}@media(max-width:700px){section{padding:14px 12px}.scroll img{max-width:none;width:820px}}
canvas{display:block;width:100%;max-width:620px;height:150px;border:1px solid var(--line);border-radius:6px;margin:8px 0}
canvas.plate{width:260px;height:auto;aspect-ratio:1}
code,pre{font:13px/1.5 ui-monospace,'DejaVu Sans Mono',monospace}pre{overflow:auto;max-height:420px;background:var(--page);border:1px solid var(--line);border-radius:6px;padding:10px}
summary{cursor:pointer;color:var(--link)}nav a{margin-right:1em;white-space:nowrap}.command{overflow-x:auto;white-space:nowrap;display:block;padding:6px 0}
"""

# Each canvas has its motion as bytes, row by row; drawn at 24 rows a second, still where motion is not wanted.
SCRIPT = """
const still=matchMedia('(prefers-reduced-motion: reduce)').matches;
document.querySelectorAll('canvas[data-motion]').forEach(c=>{
  const bytes=Int8Array.from(atob(c.dataset.motion),b=>b.charCodeAt(0)<<24>>24),w=+c.dataset.wide,h=+c.dataset.high,rows=bytes.length/(w*h),g=c.getContext('2d');
  let seen=false,row=0;new IntersectionObserver(e=>seen=e[0].isIntersecting).observe(c);
  function string(n){const W=c.width=c.clientWidth*devicePixelRatio,H=c.height=c.clientHeight*devicePixelRatio;
    g.strokeStyle=getComputedStyle(c).getPropertyValue('--wave');g.lineWidth=2*devicePixelRatio;g.beginPath();
    for(let i=0;i<w;++i){const x=W*i/(w-1),y=H/2-bytes[n*w+i]/127*H*.45;i?g.lineTo(x,y):g.moveTo(x,y)}g.stroke()}
  function plate(n){c.width=w;c.height=h;const d=g.createImageData(w,h);
    for(let i=0;i<w*h;++i){const v=bytes[n*w*h+i]/127,a=Math.abs(v);d.data.set(v>0?[214,96,40,255*a]:[40,120,214,255*a],4*i)}g.putImageData(d,0,0)}
  const draw=h>1?plate:string;draw(still?Math.floor(rows/3):0);
  if(!still)setInterval(()=>{if(seen){row=(row+1)%rows;draw(row)}},1000/24);
});
document.querySelectorAll('audio').forEach(a=>a.addEventListener('play',()=>document.querySelectorAll('audio').forEach(b=>b!==a&&b.pause())));
"""


def run(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr.strip() or done.returncode}")
    return done.stdout


def read_objects(text):
    """Strings and plates of `jawari info`: name, kind, pitch in Hz."""
    found = []
    for line in text.splitlines():
        match = re.match(r"  (\S+)\s+(string|plate)\s+\d+\s+.*?(?:([\d.]+) Hz|-\s)", line)
        if match:
            found.append((match[1], match[2], float(match[3] or 100)))
    return found


def read_field(path):
    """Places and rows of a field as numbers; the last rows only."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    places = [tuple(float(v) for v in re.findall(r"[xy]=([-\d.e]+)", cell)) for cell in lines[0].split(",")[1:]]
    rows = [[float(v) for v in line.split(",")[1:]] for line in lines[-ROWS:]]
    return places, rows


def pick(values, most):
    step = max(1, -(-len(values) // most))
    return values[::step]


def motion_of(places, rows, kind):
    """Bytes, width, height and the largest displacement."""
    if kind == "plate":
        xs, ys = sorted({p[0] for p in places}), sorted({p[1] for p in places})
        at = {p: i for i, p in enumerate(places)}
        xs, ys = pick(xs, SIDE), pick(ys, SIDE)
        order, wide, high = [at[x, y] for y in ys for x in xs], len(xs), len(ys)
    else:
        order = pick(list(range(len(places))), POINTS)
        wide, high = len(order), 1
    most = max((abs(row[i]) for row in rows for i in order), default=0.0)
    if most == 0.0:
        return None
    data = bytes(round(127 * row[i] / most) & 255 for row in rows for i in order)
    return base64.b64encode(data).decode(), wide, high, most


def see_motion(jawari, folder, name, rate):
    """The first string or plate that moves, some half a second after the start."""
    best = None
    for part, kind, pitch in read_objects(run([jawari, "info", name]))[:3]:
        every = min(24, max(2, round(rate / pitch / 24)))
        seconds = max(0.45, min(0.8, 1200 * every / rate))
        path = os.path.join(folder, f".{name}.csv")
        run([jawari, "render", name, "-d", str(seconds), "--no-ledger", "-q", "-o", path + ".out.csv", "--field", f"{part}={path}",
             "--every", str(every)])
        places, rows = read_field(path)
        os.remove(path)
        os.remove(path + ".out.csv")
        moved = motion_of(places, rows, kind)
        if moved and (best is None or moved[3] > best[1][3]):
            best = (part, moved, kind, every / rate)
    return best


def render(jawari, folder, name, sounds):
    started = time.time()
    ending = "flac" if sounds else "csv"
    sound, picture, stats = f"{name}.{ending}", f"{name}.svg", os.path.join(folder, f"{name}.json")
    made = ["render", name, "-o", sound] + (["--bits", "16"] if sounds else []) + ["--plot", picture]
    full = [jawari, "render", name, "-q", "-o", os.path.join(folder, sound)] + made[4:-1] + [os.path.join(folder, picture), "--stats", stats]
    run(full)
    with open(stats, encoding="utf-8") as file:
        figures = json.load(file)
    moved = see_motion(jawari, folder, name, figures["sample_rate"])
    return {"name": name, "sound": sound if sounds else None, "picture": picture, "figures": figures, "motion": moved,
            "command": " ".join(["jawari"] + made), "took": time.time() - started}


def description_of(text):
    found = re.search(r'"description":\s*("(?:[^"\\]|\\.)*")', text)
    return json.loads(found[1]) if found else ""


def ledger_in_words(figures):
    residual = figures["energy_residual"]
    words = f"The energy ledger closes to {residual:.0e} of the largest energy. " if residual is not None else ""
    closed = figures["closures"]
    words += f"Contacts closed {closed:,} times." if closed else "Nothing collided."
    pitch = figures.get("pitch")
    if pitch:
        words += f" Pitch {pitch:.1f} Hz."
    if figures.get("loudness") is not None:
        words += f" Loudness {figures['loudness']:.1f} LUFS."
    return words + f" Computed {figures['realtime_factor']:.1f} times as fast as it sounds."


def section(item):
    figures, esc = item["figures"], html.escape
    text = figures["scene_text"]
    parts = [f'<section id="{item["name"]}"><h3>{esc(figures["title"] or item["name"])}</h3>', f"<p>{esc(description_of(text))}</p>"]
    if item["sound"]:
        parts.append(f'<audio controls preload="none" src="{item["sound"]}"></audio>')
    if item["motion"]:
        part, (data, wide, high, most), kind, step = item["motion"]
        parts.append(f'<canvas class="{kind}" data-motion="{data}" data-wide="{wide}" data-high="{high}" role="img" '
                     f'aria-label="{esc(part)} in motion"></canvas>')
        parts.append(f'<p class="soft">{esc(part)} in motion, {1 / (24 * step):.0f} times slower; up to {1e3 * most:.3g} mm.</p>')
    parts.append(f'<div class="scroll"><a href="{item["picture"]}"><img loading="lazy" src="{item["picture"]}" '
                 f'alt="Waveform, spectrogram, energy and contacts of {esc(item["name"])}"></a></div>')
    parts.append(f'<p class="soft">{esc(ledger_in_words(figures))}</p><code class="command">{esc(item["command"])}</code>')
    parts.append(f"<details><summary>The scene</summary><pre>{esc(text)}</pre></details></section>")
    return "\n".join(parts)


def page(items, groups):
    links, body = [], []
    for key, title in GROUPS:
        own = [item for item in items if groups.get(item["name"], "instruments") == key]
        if not own:
            continue
        links.append(f"<p><b>{title}</b><br>" + " ".join(f'<a href="#{i["name"]}">{i["name"]}</a>' for i in own) + "</p>")
        body.append(f"<h2>{title}</h2>" + "\n".join(section(item) for item in own))
    seconds = sum(item["figures"]["duration"] for item in items)
    return (f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width,initial-scale=1">\n'
            f'<link rel="icon" href="data:,">\n<title>jawari: things that vibrate and collide</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n'
            f"<h1>Things that vibrate and collide</h1>\n<p>{len(items)} scenes, {seconds:.0f} seconds of sound, each computed from the text below it. "
            f"Change a copy: <code>jawari scenes --show guitar &gt; mine.json</code>.</p>\n<nav>{''.join(links)}</nav>\n"
            + "\n".join(body) + f"\n</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n")


def scene_groups(jawari):
    groups = {}
    for key, _ in GROUPS:
        for name in run([jawari, "scenes", "--names", "--group", key]).split():
            groups[name] = key
    return groups


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    jawari, folder = sys.argv[1:3]
    groups = scene_groups(jawari)
    names = sys.argv[3:] or list(groups)
    sounds = "sound files: yes" in run([jawari, "--version"])
    os.makedirs(folder, exist_ok=True)
    started = time.time()
    items = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(render, jawari, folder, name, sounds) for name in names]
        for count, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            item = job.result()
            items.append(item)
            print(f"  {count:2}/{len(names)}  {item['name']:24} {item['figures']['duration']:5.1f} s of sound in {item['took']:.1f} s", flush=True)
    items.sort(key=lambda item: names.index(item["name"]))
    path = os.path.join(folder, "index.html")
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(page(items, groups))
    os.replace(path + ".new", path)
    print(f"\n{sum(i['figures']['duration'] for i in items):.0f} s of sound in {time.time() - started:.0f} s"
          + ("" if sounds else ", as tables: without libsndfile there are no sound files") + f".  Open {path} in a browser.")


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:
        sys.exit(f"gallery.py: {error}")
