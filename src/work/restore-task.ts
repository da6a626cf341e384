import {workEvent, type WorkEvent} from './events.ts';
import {replayTask, type Task} from './task.ts';

/**
 * Restores a task from its journal. `owner`: process that runs the task, null if that process has
 * ended. Null if the journal has no task.
 */
export const restoreTask = (
	values: readonly unknown[],
): {readonly task: Task; readonly events: readonly WorkEvent[]; readonly owner: string | null} | null => {
	const events = values.flatMap(value => workEvent.safeParse(value).data ?? []);
	const task = replayTask(events);
	const began = events.findLast(({type}) => type === 'goal' || type === 'go-on');
	if (task === null) return null;
	const isOver = task.phase === 'done' || task.phase === 'gave-up' || task.phase === 'stopped';
	const owner = isOver || began === undefined || !('owner' in began) ? null : (began.owner ?? null);
	return {task, events, owner};
};
