// Records the running labs, so that they can be ended at the end of a test run, even if the run was
// killed.
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {LabPlan} from './lab-files.ts';
import {closeNamespace} from './lab-namespace.ts';

export const RUNNING = fileURLToPath(new URL('../../../node_modules/.cache/labs/', import.meta.url));

/** A running lab. `holder`: id of the process that holds the lab's namespaces. */
export type Running = {readonly plan: LabPlan; readonly holder: number};

const recordOf = ({plan}: Running): string => join(RUNNING, `${basename(plan.folder)}.json`);

export const record = (running: Running): void => {
	mkdirSync(RUNNING, {recursive: true});
	writeFileSync(recordOf(running), JSON.stringify(running));
};

export const readRunning = (path: string): Running | undefined => {
	try {
		return JSON.parse(readFileSync(path, 'utf8')) as Running;
	} catch {
		return undefined;
	}
};

export const endLab = async (running: Running): Promise<void> => {
	await closeNamespace(running.plan, running.holder);
	rmSync(recordOf(running), {force: true});
};

/** Ends all labs that were started from this folder. */
export const endLabs = async (): Promise<void> => {
	if (!existsSync(RUNNING)) return;
	for (const name of readdirSync(RUNNING).filter(each => each.endsWith('.json'))) {
		const running = readRunning(join(RUNNING, name));
		if (running) await endLab(running);
	}
	rmSync(RUNNING, {recursive: true, force: true});
};
