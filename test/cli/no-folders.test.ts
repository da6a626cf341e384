import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fileEntry, json, startHostileService, success, type Answer} from '../faults/hostile-service.ts';
import {newHome} from '../support/program.ts';
import {runHere} from '../support/run-here.ts';

/** Responses to the path of a folder, from services that list no folders. */
const ANSWERS: readonly (readonly [string, Answer])[] = [
	['404', json({detail: [{msg: 'no such file'}]}, 404)],
	['500', json({error: 'is a directory'}, 500)],
	['400', {status: 400, type: 'text/plain', body: 'not a file'}],
	['409', json({}, 409)],
	['a redirect', {status: 308, headers: {location: '/api/servers/calm/files'}, body: ''}],
	['an empty answer', {status: 200, body: ''}],
];

test.each(ANSWERS)(
	'files list gives an alternative if a service lists no folders and returns %s',
	async (_, answer) => {
		await using home = await newHome();
		await using service = await startHostileService({file: () => answer});
		const {code, stdout, stderr} = await runHere(['files', 'list', 'calm'], {home, env: service.env});
		expect({code: code !== 0, stdout}).toEqual({code: true, stdout: ''});
		expect(stderr).toContain(
			'This service may not list folders. svc-tui files get calm PATH reads a file by path.',
		);
	},
);

test('a service that is away is not called one without folders', async () => {
	await using home = await newHome();
	await using service = await startHostileService({file: () => json({message: 'being updated'}, 503)});
	expect((await runHere(['files', 'list', 'calm'], {home, env: service.env})).stderr).not.toContain(
		'may not list folders',
	);
});

test('an existing file is not overwritten because its folder is not listed', async () => {
	await using home = await newHome();
	const put: string[] = [];
	await using service = await startHostileService({
		file: ({path}) =>
			path === 'data/a.txt' ? success({content: fileEntry(path)}) : json({message: 'not found'}, 404),
		upload({path}) {
			put.push(path);
			return success({content: fileEntry(path, {content: null, format: null})});
		},
	});
	for (const name of ['a.txt', 'b.txt']) await writeFile(join(home.folder, name), 'mine');
	expect(
		await runHere(['files', 'put', 'calm', 'a.txt', 'b.txt', 'data/', '--existing', 'skip'], {
			home,
			env: service.env,
		}),
	).toMatchObject({code: 0});
	expect(put).toEqual(['data/b.txt']);
});
