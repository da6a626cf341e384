export type Align = 'left' | 'center' | 'right';

export type Block =
	| {readonly type: 'heading'; readonly depth: number; readonly text: string}
	| {readonly type: 'rule'}
	| {readonly type: 'paragraph'; readonly text: string}
	/** Indented code: fences are no blocks, since their lines are laid out one by one. */
	| {readonly type: 'code'; readonly lines: readonly string[]}
	| {readonly type: 'quote'; readonly lines: readonly string[]}
	| {
			readonly type: 'item';
			readonly number: number | null;
			readonly delimiter: string;
			readonly lines: readonly string[];
	  }
	| {
			readonly type: 'table';
			readonly aligns: readonly Align[];
			readonly header: readonly string[];
			readonly rows: readonly (readonly string[])[];
	  };

export type Scanned = {
	readonly block: Block;
	/** Index of the first line behind it. */
	readonly end: number;
	/** More text cannot change it. */
	readonly closed: boolean;
	/** The last line that it took was cut: what is left of it is the next line, and goes on with the paragraph. */
	readonly rest: string | null;
	/** A table that was ended for its length: rows below it are one of their own, under the same head. */
	readonly below?: TableHead;
};

export type TableHead = {readonly aligns: readonly Align[]; readonly header: readonly string[]};
