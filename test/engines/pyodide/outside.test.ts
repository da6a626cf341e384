import {mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openPython, printed, value} from './python.ts';

const makesFile = `with open('note.txt', 'w') as file: file.write('first')`;

test('a file that Python made and another program removed can be made again', async () => {
	await using python = await openPython();
	await python.run(makesFile);
	await rm(join(python.root, 'note.txt'));
	expect(await python.run(`import os; print(os.path.exists('note.txt'))`)).toMatchObject([{text: 'False\n'}]);
	expect(await python.run(`with open('note.txt', 'w') as file: file.write('second')`)).toEqual([]);
	expect(value(await python.run(`open('note.txt').read()`))).toBe("'second'");
});

test(
	'a folder that another program removed can be created again, with its content',
	{tags: 'long'},
	async () => {
		await using python = await openPython();
		const makes = `os.mkdir('data')\nwith open('data/a.txt', 'x') as file: file.write('a')`;
		await python.run(`import os\n${makes}`);
		await rm(join(python.root, 'data'), {recursive: true});
		expect(await python.run(makes)).toEqual([]);
		expect(printed(await python.run(`print(os.listdir('data'))`))).toBe("['a.txt']\n");
	},
);

test(
	'a folder that took the place of a file is a folder, and the other way round',
	{tags: 'long'},
	async () => {
		await using python = await openPython();
		await python.run(`${makesFile}\nimport os; os.mkdir('data')`);
		await rm(join(python.root, 'note.txt'));
		await rm(join(python.root, 'data'), {recursive: true});
		await mkdir(join(python.root, 'note.txt'));
		await writeFile(join(python.root, 'note.txt', 'inner.txt'), 'inner');
		await writeFile(join(python.root, 'data'), 'a file now');
		expect(
			printed(
				await python.run(
					`print(open('note.txt/inner.txt').read(), open('data').read(), os.listdir('note.txt'))`,
				),
			),
		).toBe("inner a file now ['inner.txt']\n");
	},
);

test('an open file keeps working when another program removes it', {tags: 'long'}, async () => {
	await using python = await openPython();
	await python.run(`file = open('note.txt', 'w+'); _ = file.write('kept'); file.flush()`);
	await rm(join(python.root, 'note.txt'));
	expect(value(await python.run(`file.seek(0); file.read()`))).toBe("'kept'");
});
