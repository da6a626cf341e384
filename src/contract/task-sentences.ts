// Sentences in the messages of a task that the built-in assistant parses. `src/work` writes them,
// `src/service/assistant/task` parses them.

/** Start of the first message. The server's name as JSON follows. */
export const SERVER_FOLLOWS = 'You work on the notebook server ';
export const GOAL_FOLLOWS = ' for a person, step by step. What they want:\n\n';
export const AFTER_GOAL = '\n\nAsk for a step with a fenced block in the first column';
export const MARK_FOLLOWS = 'has the kind, the mark ';
/** Follows the kind of a step and a colon. */
export const NOT_ALLOWED = 'not allowed in this task';
/** Starts the message after an answer that could not be read. */
export const NOTHING_DONE = 'Nothing of your answer was carried out.';

/** First lines of a step's result. */
export const RAN = 'ok';
export const RAISED = 'raised ';
export const listedHead = (path: string, count: number): string =>
	`${path}, ${count} ${count === 1 ? 'entry' : 'entries'}`;
export const readHead = (path: string, first: number, last: number, count: number): string =>
	`${path}, lines ${first}-${last} of ${count}`;
export const writtenHead = (path: string, bytes: number): string => `${path}, ${bytes} bytes`;

const WRITTEN = /, \d+ bytes$/;
const SUCCEEDED = new RegExp(
	String.raw`^${RAN}\b|, \d+ entr(?:y|ies)$|, lines \d+-\d+ of \d+$|${WRITTEN.source}`,
);

/** True if the first line of a step's result reports success. */
export const hasSucceeded = (head: string): boolean => SUCCEEDED.test(head);
export const writtenPath = (head: string): string => head.replace(WRITTEN, '');
