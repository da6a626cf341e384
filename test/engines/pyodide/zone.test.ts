import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {openPython, printed} from './python.ts';

const code = 'import time\nprint(time.strftime("%H:%M", time.localtime(0)))';

// Time zone that a process has if TZ is not set.
const own = execFileSync(process.execPath, ['-p', 'new Date(0).toTimeString().slice(0, 5)'], {env: {}})
	.toString()
	.trim();

test.each([
	['Asia/Tokyo', '09:00'],
	['America/St_Johns', '20:30'],
	[undefined, own],
])(
	"the local time of the code is that of the zone %s; without one it is the machine's",
	{tags: 'long'},
	async (zone, time) => {
		await using python = await openPython({zone});
		expect(printed(await python.run(code))).toBe(`${time}\n`);
	},
);
