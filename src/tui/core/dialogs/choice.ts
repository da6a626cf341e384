/** A row of a chooser, and its effect. */
export type Choice = {
	/** Text of the row. It may come from outside: the chooser makes it safe for the terminal. */
	readonly text: string;
	/** Id that keeps the choice selected when the list changes; by default its text. */
	readonly id?: string;
	/** Text at the right end: a key, a time. */
	readonly note?: string;
	/** Header above the choices that share it. With `keepsSections`, shown for typed text too. */
	readonly section?: string;
	/** Text that Tab puts into the field. */
	readonly completes?: string;
	/** Effect of Tab in place of completion; the dialog stays open. */
	readonly mark?: () => void;
	/** Label of Enter for this choice, if it differs from the chooser's. */
	readonly enterLabel?: string;
	/** Text to highlight in the row. */
	readonly found?: string;
	/** True to dim the choice, because it is less useful. */
	readonly isQuiet?: boolean;
	/** Called after the chooser has been closed. Returns the reason if the choice cannot act. */
	readonly choose: () => string | void;
};
