/** A row of a chooser, and its effect. */
export type Choice = {
	/** Text of the row. It may come from outside: the chooser makes it safe to print. */
	readonly text: string;
	/** Id that keeps the choice selected when the list changes; by default its text. */
	readonly id?: string;
	/** Text at the right end: a key, a time. */
	readonly note?: string;
	/** Header above the choices that share it. With `keepsSections`, shown for typed text too. */
	readonly section?: string;
	/** Text that Tab puts into the field. */
	readonly completes?: string;
	/** Effect of Tab if there is nothing to complete; the dialog stays open. */
	readonly mark?: () => void;
	/** Label of Enter for this choice, if it differs from the chooser's. */
	readonly enterLabel?: string;
	/** Text to highlight in the row. */
	readonly found?: string;
	/** Dimmed because it is less useful. */
	readonly isQuiet?: boolean;
	/** Called after the chooser has been closed. Returns the reason if the choice cannot act. */
	readonly choose: () => string | void;
};
