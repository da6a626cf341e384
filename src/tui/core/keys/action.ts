// An action is one object literal: its keys, its label, the reason when it cannot act, and its
// effect. The dispatcher, the footer, the help, the palette and the screen reader use these
// objects.
import type {KeyContext, Scope, Screen, TextHandler} from '../program.ts';

/** The keys of an action, and texts about it. */
export type Row = {
	/**
	 * Key names as in key-names.ts. Two names with a space between them are a sequence of two keys.
	 */
	readonly keys: readonly string[];
	/**
	 * Former keys of the action. Where such a key has no other meaning, it still runs the action
	 * and shows a notice with the new key.
	 */
	readonly was?: readonly string[];
	readonly label: string;
	/** Other words that users search for. */
	readonly also?: string;
	/**
	 * True to show the action in the footer if there is room. The footer follows the order of the
	 * actions.
	 */
	readonly hint?: true;
	/**
	 * True if the action sends a request other than GET. A read-only profile hides such actions.
	 */
	readonly writes?: true;
};
export type Rows = Readonly<Record<string, Row>>;

export type Action = Row & {
	/**
	 * Current label in the footer; undefined to use `label`, null to omit the action from the
	 * footer.
	 */
	readonly now?: (at: KeyContext) => string | null | undefined;
	/** Runs the action. Returns a sentence, to be shown, if it cannot act. */
	readonly run: (at: KeyContext) => string | void;
};
export type Actions = Readonly<Record<string, Action>>;

/** The keys of one part of the program. */
export type KeyScope = {
	/** Name of the place where these keys work. */
	readonly where: string;
	/** Name in the palette, for a scope of a screen. */
	readonly name?: string;
	/** Screen, and part of its pane, that the palette opens before it runs one of these actions. */
	readonly screen?: Screen;
	readonly part?: string;
	/** True if the user types text while this scope is active. */
	readonly isText?: true;
	/**
	 * True if the scope is active only briefly, for example in a filter field. Its keys mean
	 * nothing elsewhere.
	 */
	readonly isPassing?: true;
	readonly isDialog?: true;
	/** Footer labels of keys that start a chord. The chords of such a key are one hint. */
	readonly chords?: Readonly<Record<string, string>>;
	/** Actions in the order of the footer. */
	readonly actions: Actions;
	/** Receives typed and pasted text. */
	readonly typed?: (at: KeyContext, ...typed: Parameters<TextHandler>) => void;
};
export type KeyScopes = {readonly [S in Scope]?: KeyScope};

/**
 * Reason why an action has no subject. A class, so that it cannot be confused with a subject:
 * subjects may be objects from a service, with any fields.
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
 * Creates actions on a subject. `find` returns the subject, or a refusal if there is none. The
 * footer omits the actions while `find` refuses.
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

/** Adds effects to rows of the key table. The effects are created again for each key press. */
export const actionsOf = <Name extends string>(
	rows: Readonly<Record<Name, Omit<Action, 'run'>>>,
	effects: (at: KeyContext) => Readonly<Record<NoInfer<Name>, () => string | void>>,
): Readonly<Record<Name, Action>> => {
	const names = Object.keys(rows) as Name[];
	const actions = names.map(name => [name, {...rows[name], run: (at: KeyContext) => effects(at)[name]()}]);
	return Object.fromEntries(actions) as Record<Name, Action>;
};
