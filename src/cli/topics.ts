import {paths} from '../state/paths.ts';

export const TOPICS = ['keys', 'query', 'recipe', 'exit-codes', 'settings'] as const;
export type Topic = (typeof TOPICS)[number];

export const QUERY_HELP = `A query is what the compute screen shows behind /, and every term must match:
  gpu:H100  n>=2  vram>=80  price<3  price<=3  region:us-central-2  host:aws  avail  cpu  "any words"
n is the number of GPUs, vram gigabytes of each, price that of an hour, avail what is available now, cpu what has no
GPU. region: may be given several times, and takes a region letter for letter, region:eu* for all that begin so, or a
country or continent: region:germany, region:europe. Other words are searched for in name, id and host. A value with a
space goes in quotes: region:"East Coast (NY2)".
  svc-tui compute --query 'gpu:h100 vram>=80 price<3' --sort price`;

export const RECIPE_HELP = `A recipe is a YAML file; paths are below its folder, files go where the right side says:
  server: trainer
  environment: ai
  compute: cpu price<1   # as svc-tui compute --query, also gpu:h100 vram>=80 price<3; the cheapest that is available is taken
  port: 8888                           # this and what follows may be left out
  files:
    train.py: train.py
    data/*.csv: data/
  run: |                               # warm-up code, each time
    import train
  kernel: python3
A server of that name that is offline is started on the cheapest; one that runs is used as it is. Only files that differ
are sent. So a run that failed half-way is run again.`;

export const FILES_HELP = `Paths on a server are below its root: data/a.csv, /data/a.csv and ./data/a.csv are one. A path there that ends with / is a folder.
get writes to standard output: text as it is, every byte of it in a pipe; what is not text goes to a file with -o FILE.
put sends every byte, folders on the way are made. - is standard input and needs a name:
  svc-tui files put welcome train.py src/             one file into a folder
  svc-tui files put welcome 'data/*.csv' more.txt in/  several, and those that match a pattern
  svc-tui files get welcome data -o here               a folder with all that is in it
  tar c . | svc-tui files put welcome - all.tar
Without --existing a file that is there already is overwritten.
mv, mkdir and rm use the interface at the server's own address; where it has none, they say what to run instead. mv never overwrites.`;

export const NOTEBOOK_HELP = `Of a notebook the cells run one after the other, up to one that raises: exit code 6, and its number. One tagged
raises-exception may raise, one tagged skip-execution does not run. With -o nothing of the outputs is printed but that
error, and FILE is written whole, also after an error or Ctrl-C.
Parameters are put into a cell tagged injected-parameters: below the one tagged parameters, or first. -p takes True,
False, None and numbers as such, and all else as a string:
  svc-tui run welcome train.ipynb -o out.ipynb -p epochs=3 -p rate=1e-3 -r version=1.0 --timeout 3600
--json prints {"notebook", "output", "raised": number of the cell or null, "cells": [{"number", ...}]}, each cell as
that of a script; --jsonl prints each cell as it ends.`;

const EXIT_HELP = `0     done
1     the service could not
2     wrong usage, settings, recipe or local file
3     not found: no such server, environment, compute option, kernel, model or file
4     key missing or refused
5     timeout, or the service cannot be reached
6     the code raised; where it calls sys.exit(n), n instead
128+n ended by signal n
The screens add 64 (no terminal) and 70 (a bug); serve adds 69 (port taken), 73 (data folder in use) and
77 (folder or file not safe). With --json an error is one line on standard error: {"error": {"code", "message", "next"}}.`;

const settingsHelp =
	(): string => `${paths().config}/settings.json, JSON with comments; every part may be left out:
  "profile": "work"                 used when none is named; without it the local service
  "theme": "light"                  terminal (on a light background as light), dark, light or high-contrast
  "colours": {"accent": "#ff8800"}  in place of the theme's, where the terminal has 256 or more: accent, dim, good,
                                    busy, bad, keyword, string, number, type, comment, added, removed
  "ascii": true                     no marks and frames beyond ASCII; without it, where the terminal cannot
                                    show them; false: never
  "screenReader": true              lines of text for a screen reader, as --screen-reader
  "mouse": true                     clicks on tabs, rows and panes, and the wheel; the terminal selects with Shift then
  "pictures": "blocks"              half blocks, also where the terminal draws pixels ("auto")
  "keepKernels": "30m"              how long the local service keeps what code made after the last
                                    program ("2h"; 24 hours at most), "never", or "ask" on leaving
  "keys": {"servers.start": ["s"]}  several keys for an action; svc-tui help keys lists the
                                    actions and their keys as they are now, svc-tui info shows conflicts
  "profiles": {"work": {
    "baseUrl": "https://…", "keyFile": "~/keys/work", "readOnly": true, "live": false, "colour": "red",
    "currency": "EUR", "models": ["model_1", {"id": "model_2", "name": "Fast"}]}}
svc-tui login adds a profile, svc-tui info shows what is read. Variables: SVC_BASE_URL and SVC_API_KEY name a service
and its key, SVC_ENGINE the engine of the local one, SVC_KEEP_KERNELS "keepKernels", NO_COLOR and FORCE_COLOR the colours.`;

export const topicText = (topic: Exclude<Topic, 'keys'>): string =>
	`${{query: QUERY_HELP, recipe: RECIPE_HELP, 'exit-codes': EXIT_HELP, settings: settingsHelp()}[topic]}\n`;
