// Colours are roles. Only the 16 colours of the terminal's own palette are used, so that dark and light themes stay readable.

const SGR = {
	/** Names of screens, column heads. */ heading: ['1', '22'],
	/** What is less important: ages, rules, line numbers. */ dim: ['2', '22'],
	/** Keys, the cursor's mark, the active tab. */ accent: ['36', '39'],
	/** The row under the cursor, where the keys go. */ selected: ['7', '27'],
	/** Ready, done, available. */ good: ['32', '39'],
	/** Under way. */ busy: ['33', '39'],
	/** Failed, refused. */ bad: ['31', '39'],
	/** What the user typed. */ own: ['1', '22'],
	// Of profiles, by name.
	red: ['31', '39'], yellow: ['33', '39'], green: ['32', '39'], cyan: ['36', '39'], blue: ['34', '39'], magenta: ['35', '39'],
} as const satisfies Record<string, readonly [string, string]>;

export type Role = keyof typeof SGR;

/** Text in a role. Never spans lines. */
export const paint = (role: Role, text: string): string => (text === '' ? '' : `\u001B[${SGR[role][0]}m${text}\u001B[${SGR[role][1]}m`);

/** The colours Ink's own components take, by role. */
export const inkColour = {accent: 'cyan', busy: 'yellow'} as const satisfies Partial<Record<Role, string>>;

const COLOUR = /\u001B\[(?:3[0-9]|9[0-7]|4[0-9]|10[0-7]|[34]8;[0-9;]*)m/g;

/** Takes colours away and leaves weight and inversion. */
export const withoutColour = (line: string): string => line.replaceAll(COLOUR, '');
