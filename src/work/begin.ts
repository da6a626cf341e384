import {randomBytes} from 'node:crypto';
import type {Limits} from './budget.ts';
import type {EventOf} from './events.ts';
import {instructions, type Leave} from './instructions.ts';
import type {Grant, Kind} from './permission.ts';
import type {ServerContext} from './server-context.ts';
import {taskOf, type Task} from './task.ts';

type Wanted = Pick<EventOf<'goal'>, 'at' | 'owner' | 'server' | 'model' | 'goal'> & {
	readonly limits: Limits;
	readonly grants: readonly Grant[];
	/** What is said of a kind that is not allowed beforehand. */
	readonly otherwise: Leave;
	readonly context: ServerContext | null;
};

/** A new task with a mark of its own, the event that it begins with, and a name for its journal that sorts by time. */
export const beginTask = ({
	grants,
	otherwise,
	context,
	...wanted
}: Wanted): {readonly task: Task; readonly event: EventOf<'goal'>; readonly id: string} => {
	const mark = randomBytes(5).toString('hex');
	const leave = (kind: Kind): Leave => (grants.some(grant => grant.kind === kind) ? 'allowed' : otherwise);
	const message = instructions({...wanted, mark, leave, context});
	const event: EventOf<'goal'> = {...wanted, type: 'goal', message, mark, grants: [...grants]};
	const task = taskOf([event]);
	if (task === null) throw new Error('A task begins with its goal.');
	return {task, event, id: `${new Date(event.at).toISOString().replaceAll(/[:.]/g, '-')}-${mark}`};
};
