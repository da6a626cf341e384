import {expect, test} from 'vitest';
import {fileEntry, startHostileService, success} from '../faults/hostile-service.ts';
import {openMcp, type McpOptions} from '../support/mcp-client.ts';
import {newHome} from '../support/program.ts';

const SECRET = 'AWS_SECRET=abcdef';

test("hidden files, keys and instructions for assistants need the user's permission, regardless of the client's permissions", async () => {
	await using home = await newHome();
	await using service = await startHostileService({
		file: ({path}) => success({content: fileEntry(path, {content: SECRET})}),
	});
	const open = (args: readonly string[], answer?: McpOptions['answer']) =>
		openMcp({home, env: service.env, args, ...(answer && {answer})});
	const server = 'calm';
	const READS = ['.env', 'deploy/service-account.json', 'terraform.tfstate', 'kubeconfig', 'keys/a.pem'];
	{
		await using mute = await open(['--allow', 'run,write']);
		for (const path of READS)
			expect(await mute.call('read_file', {server, path}), path).toMatchObject({
				isError: true,
				text: expect.stringMatching(
					/needs the user's consent[^]*does not support elicitation[^]*files get calm/,
				),
			});
		const writes: readonly (readonly [string, object])[] = [
			['write_file', {path: 'AGENTS.md', content: 'x', overwrite: true}],
			['write_file', {path: 'src/claude.md', content: 'x', overwrite: true}],
			['edit_file', {path: '.env', old_text: 'A', new_text: 'B'}],
			['move_file', {path: '.env', new_path: 'plain.txt'}],
			['move_file', {path: 'plain.txt', new_path: 'AGENTS.md'}],
			['make_folder', {path: '.svc'}],
			['delete_file', {path: '.env'}],
			['list_files', {path: '.ssh'}],
		];
		for (const [name, given] of writes)
			expect(await mute.call(name, {server, ...given}), name).toMatchObject({
				isError: true,
				text: expect.stringContaining('does not support elicitation'),
			});
		expect(service.asked.filter(line => /files|forward/.test(line))).toEqual([]);
		expect(await mute.call('read_file', {server, path: 'AGENTS.md'})).toMatchObject({isError: false});
		expect(
			await mute.call('write_file', {server, path: 'a.txt', content: 'x', overwrite: true}),
		).toMatchObject({isError: false});
	}
	const questions: string[] = [];
	let action: 'accept' | 'decline' = 'decline';
	await using asks = await open([], question => {
		questions.push(question);
		return action === 'accept' ? {action, content: {confirm: true}} : {action};
	});
	const refused = await asks.call('read_file', {server, path: '.env'});
	expect(refused).toMatchObject({isError: true, text: expect.stringContaining('declined')});
	expect(refused.whole).not.toContain(SECRET);
	action = 'accept';
	expect((await asks.call('read_file', {server, path: '.env'})).text).toContain(SECRET);
	const deep = `${'long/'.repeat(60)}.env`;
	await asks.call('read_file', {server, path: deep});
	expect(questions.pop()).toContain(`Let this client read ${JSON.stringify(deep)} on calm?`);
	expect(questions).toEqual(Array(2).fill(expect.stringContaining('Let this client read \".env\" on calm?')));
});
