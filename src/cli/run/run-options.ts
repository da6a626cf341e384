/** Options of `run` that apply to notebooks. Some of them apply to all files. */
export type NotebookOptions = {
	readonly output?: string;
	readonly parameter?: readonly string[];
	readonly rawParameter?: readonly string[];
	readonly timeout?: string;
	readonly allowErrors?: boolean;
	readonly progress?: boolean;
	readonly kernel?: string;
	readonly detach?: boolean;
};

export type RunOptions = NotebookOptions & {
	readonly code?: string;
	readonly env?: readonly string[];
	/** Id of a detached run. */
	readonly attach?: string;
};
