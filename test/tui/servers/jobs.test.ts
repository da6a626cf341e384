import {expect, test} from 'vitest';
import {detailLines} from '../../../src/tui/servers/detail.ts';
import {fileEntry, folderEntry, json, startHostileService, success} from '../../faults/hostile-service.ts';
import {server} from '../../support/factories.ts';
import {storeOn} from '../../support/store-on.ts';
import {jobList} from '../../../src/tui/servers/jobs.ts';

const plain = (text: string): string => text.replaceAll(/\u001B\[[\d;]*m/g, '');

test('jobs are read from their files, without a kernel, and the end of a running one is reported', async () => {
	const jobs: Record<string, string> = {};
	const file = (name: string, more: object): void => {
		jobs[name] = JSON.stringify({name, command: ['sleep'], started: 1000, state: 'running', ...more});
	};
	file('train', {pid: 7});
	file('old', {state: 'ended', code: 0, ended: 4600});
	jobs['half'] = '{"name": "ha';
	file('e\u001b[2Jvil', {});
	await using service = await startHostileService({
		file({path}) {
			if (path === 'svc-jobs')
				return success({
					content: folderEntry(
						path,
						Object.keys(jobs).map(name => folderEntry(`${path}/${name}`, [])),
					),
				});
			const content = jobs[path.split('/')[1] ?? ''];
			return content === undefined
				? json({error: 'nothing there'}, 404)
				: success({content: fileEntry(path, {content})});
		},
	});
	const {getState} = storeOn(service.baseUrl);
	const shown = (name: string): string =>
		detailLines(server({name}), getState(), 0, 80)
			.map(plain)
			.filter(line => !/^(?!Jobs)\S/.test(line))
			.join('\n');
	expect(shown('welcome')).not.toContain('Jobs');
	await jobList(getState).lookAtJobs('welcome');
	expect(shown('welcome')).toMatch(
		/^Jobs +1 running, 1 ended, as their files report\n +train {2}running\n +old {2}exited with code 0, after 1 h 00 min$/m,
	);
	expect(shown('other')).not.toContain('Jobs');
	expect(getState().notices).toEqual([]);

	file('train', {state: 'ended', code: 3, ended: 1300});
	await jobList(getState).lookAtJobs('welcome');
	expect(shown('welcome')).toMatch(/ 0 running, 2 ended/);
	expect(getState().notices).toMatchObject([
		{kind: 'bad', text: 'train on welcome exited with code 3, after 5 min'},
	]);
	await jobList(getState).lookAtJobs('welcome');
	expect(getState().notices).toHaveLength(1);
	// The output of an ended job is not requested again.
	const ofOld = service.asked.filter(line => line.includes('svc-jobs/old'));
	expect(ofOld).toHaveLength(1);
	expect(service.asked.filter(line => !line.startsWith('GET '))).toEqual([]);

	service.answer({file: () => json({error: 'the disk is away'}, 500)});
	await jobList(getState).lookAtJobs('welcome');
	expect(shown('welcome')).toMatch(/^Jobs +\? .*the disk is away/m);
	service.answer({file: () => json({error: 'nothing there'}, 404)});
	await jobList(getState).lookAtJobs('other');
	expect(shown('other')).toMatch(/^Jobs +none$/m);
});
