// An action is one literal: its keys, its label, the reason it cannot act, and its effect. The
// dispatcher, the footer, the help, the palette and the screen reader read it.
import type {KeyContext, Scope, Screen, TextHandler} from '../program.ts';

/** The keys of an action, and texts about it. */
export type Row = {
	/** Names as in key-names.ts; two names with a space between them are pressed in sequence. */
	readonly keys: readonly string[];
	/** Keys that it had before. They act where they mean nothing else, and name the new key. */
	readonly was?: readonly string[];
	readonly label: string;
	/** Other words that users search for. */
	readonly also?: string;
	/**
	 * True to show the action in the footer, in the order of the actions, as far as there is room.
	 */
	readonly hint?: true;
	/** True if the action leads to a request other than GET: a read-only profile hides it. */
	readonly writes?: true;
};
export type Rows = Readonly<Record<string, Row>>;

export type Action = Row & {
	/**
	 * Current label in the footer; undefined for `label`. Null if the footer leaves the action out.
	 */
	readonly now?: (at: KeyContext) => string | null | undefined;
	/** Returns the reason if it cannot act; the reason is shown. */
	readonly run: (at: KeyContext) => string | void;
};
export type Actions = Readonly<Record<string, Action>>;

/** The keys of one part of the program. */
export type KeyScope = {
	/** Name of the place where the keys work. */
	readonly where: string;
	/** Name in the palette, for a scope of a screen. */
	readonly name?: string;
	/** Screen, and part of its pane, that the palette opens for these keys. */
	readonly screen?: Screen;
	readonly part?: string;
	/** True if the user types text there. */
	readonly isText?: true;
	/** True if the scope is active only for a moment, outside which its keys have no meaning. */
	readonly isPassing?: true;
	readonly isDialog?: true;
	/** Actions in the order of the footer. */
	readonly actions: Actions;
	/** Receives typed and pasted text. */
	readonly typed?: (at: KeyContext, ...typed: Parameters<TextHandler>) => void;
};
export type KeyScopes = {readonly [S in Scope]?: KeyScope};

/**
 * Reason why there is no subject to act on. A class, because subjects may come from a service, with
 * any fields.
 */
export class Refusal {
	readonly reason: string;
	constructor(reason: string) {
		this.reason = reason;
	}
}
export const refused = (reason: string): Refusal => new Refusal(reason);

type Written<Subject> = Row & {
	readonly now?: (subject: Subject, at: KeyContext) => string | null | undefined;
	readonly run: (subject: Subject, at: KeyContext) => string | void;
};

/**
 * Creates actions on a subject. `find` returns the subject or a refusal; after a refusal the footer
 * leaves the actions out.
 */
export const actionOn =
	<Subject>(find: (at: KeyContext) => Subject | Refusal) =>
	({now, run, ...row}: Written<Subject>): Action => ({
		...row,
		now(at) {
			const found = find(at);
			return found instanceof Refusal ? null : now?.(found, at);
		},
		run(at) {
			const found = find(at);
			return found instanceof Refusal ? found.reason : run(found, at);
		},
	});

/** Adds effects to rows. The effects are created again for each key. */
export const actionsOf = <Name extends string>(
	rows: Readonly<Record<Name, Omit<Action, 'run'>>>,
	effects: (at: KeyContext) => Readonly<Record<NoInfer<Name>, () => string | void>>,
): Readonly<Record<Name, Action>> => {
	const names = Object.keys(rows) as Name[];
	const actions = names.map(name => [name, {...rows[name], run: (at: KeyContext) => effects(at)[name]()}]);
	return Object.fromEntries(actions) as Record<Name, Action>;
};
