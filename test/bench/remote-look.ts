import {existsSync, readdirSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {createConnection} from '../../src/engines/ssh/connection.ts';
import {createLaunches} from '../../src/engines/ssh/launcher.ts';
import type {Lab} from '../support/lab/lab.ts';

const SERVERS = 20;
const LOOKS = 20;

/**
 * Times in ms of checks of 20 servers on one host. Their folders are copies of those of running
 * servers.
 */
export const lookTimes = async (lab: Lab, control: string): Promise<readonly number[]> => {
	const folder = join(lab.home('alice'), '.local/share/svc-tui/remote/servers');
	const running = readdirSync(folder).filter(name => !existsSync(join(folder, name, 'ended')));
	const copies = Array.from({length: SERVERS}, (_, n) => `copy${n}`);
	const copy = copies.map((name, n) => `cp -a ${folder}/${running[n % running.length]} ${folder}/${name}`);
	const {code, stderr} = await lab.as('alice', `${copy.join(' && ')} && cat ${folder}/copy*/kind`);
	if (code !== 0) throw new Error(stderr);
	const order = async (name: string) => (await lab.as('alice', `cat ${folder}/${name}/order`)).stdout;
	const servers = await Promise.all(copies.map(async id => ({id, order: await order(id)})));
	const path = process.env['PATH'];
	process.env['PATH'] = `${lab.bin}${delimiter}${path ?? ''}`;
	const connection = createConnection({host: 'lab', control}, () => {});
	try {
		await connection.open();
		const launches = createLaunches('lab', connection);
		const times: number[] = [];
		for (let look = 0; look < LOOKS; look++) {
			const from = performance.now();
			await launches.look(servers);
			times.push(performance.now() - from);
		}
		return times;
	} finally {
		connection.close();
		process.env['PATH'] = path;
		await lab.as('alice', `rm -rf ${folder}/copy*`);
	}
};
