import type {Message, Usage} from '../contract/assistant.ts';
import type {AttachAnswer, AttachRequest} from '../contract/attach.ts';
import type {ExecutedCell, RunRequest} from '../contract/cells.ts';
import type {ComputeOption} from '../contract/compute.ts';
import type {Environment} from '../contract/environments.ts';
import type {FileEntry, UploadRequest} from '../contract/files.ts';
import type {CompletionItem} from '../kernel/messages.ts';
import type {OutputSink} from '../kernel/output-collector.ts';
import type {ProjectAnswer, ProjectRequest} from '../contract/project.ts';
import type {
	CreatedServer,
	CreateRequest,
	ServerItem,
	StartedServer,
	StartRequest,
} from '../contract/servers.ts';
import type {ModelName} from '../contract/model-names.ts';
import type {Failure, FailureKind, Reply} from './failure.ts';
import type {TypedAnswer, TypedCall} from './methods.ts';

export type CallOptions = {readonly signal?: AbortSignal};

/** A file as it was read. `tag`: the strong ETag of its content, null where the service sends none. */
export type TaggedFile = {readonly entry: FileEntry; readonly tag: string | null};

/** A list with the items that could be read; `raw` is the service's own array, unreadable items included. */
export type Listing<T> = {
	readonly items: readonly T[];
	readonly unreadable: number;
	readonly raw: readonly unknown[];
};

/** What the stream held besides the answer, for the debug log and the detail view. */
export type StreamNotes = {
	/** Text of the `g` lines. */
	readonly reasoning: string;
	/** Lines of codes that are not ours, per code. */
	readonly skipped: Readonly<Record<string, number>>;
	/** Lines that could not be read, with up to three samples (raw). */
	readonly bad: number;
	readonly badSamples: readonly string[];
};

/** An answer as far as it came. `problem` says why it is not complete, or carries the assistant's own error line. */
export type ChatAnswer = {
	readonly messageId: string | null;
	readonly content: string;
	readonly finishReason: string | null;
	readonly usage: Usage | null;
	readonly complete: boolean;
	readonly problem: Failure | null;
	readonly notes?: StreamNotes;
};

export type ChatOptions = CallOptions & {
	/** Called with each fragment in order, as it arrives. What it throws rejects the call. */
	readonly onText?: (fragment: string) => void;
	/** The same for what the model thinks, which is no part of its answer. */
	readonly onThought?: (fragment: string) => void;
};

/** What a later program needs to go on with a cell that runs; no token. */
export type ResumeInfo = {
	/** The kernel's id, and the session of the channel, which the server keeps what comes for. */
	readonly kernel: string;
	readonly session: string;
	/** Id of the request that the cell was sent with. */
	readonly request: string;
	readonly source: string;
};

/** Keeps what comes of a cell, so that a program which is killed loses nothing. Neither throws. */
export type LiveRecorder = {
	/** Before it is sent. */
	begin(at: ResumeInfo): void;
	/** A line of what came since. */
	add(line: string): void;
};

/** What a {@link LiveRecorder} has kept. */
export type LiveRecording = {readonly at: ResumeInfo; readonly lines: readonly string[]};

/** How a cell that was sent over the live link ended. */
export type LiveOutcome =
	| {readonly kind: 'done'}
	/**
	 * Nothing was sent: it may be run in another way; `isNew`: in the same, since a new kernel is there. `isSilent`: the server answers and has the
	 * kernel, which is not heard. Of one that is gone on with: its kernel is gone.
	 */
	| {readonly kind: 'unsent'; readonly isNew?: true; readonly isSilent?: true}
	/** What came of it is not known; it may have been carried out. */
	| {readonly kind: 'failed'; readonly failure: Failure};

/** Called at each change; `value`: the cell has the one that it was run for. */
export type LiveChange = (what?: 'value') => void;

/** A cell that runs over the live link. */
export type LiveCell = {
	/** Never rejects. */
	readonly ended: Promise<LiveOutcome>;
	/** What it gave so far. It may change after its end too, by a thread of it or by a display that another cell changes. */
	now(): ExecutedCell;
	/** UTF-16 units of all that came for it. */
	came(): number;
	/** Those that are looked at when it is drawn, about. */
	drawn(): number;
	interrupt(): void;
	/** What it waits for now, one object per question; null when it waits for nothing. */
	asks(): InputRequest | null;
	/** Answers that; U+0004 is the end of input. What is secret stands nowhere afterwards. */
	answer(text: string): void;
	/** `KERNEL/PROCESS` of who runs it: the second part is another one each time the kernel begins. Null: not known. */
	life(): string | null;
	/** So many cells of others the kernel was heard to run between the one before it that was sent over this link and this one. */
	others(): number;
};

/** Code asks for a line by input() or getpass(). Its prompt stands at the end of what the cell gave. */
export type InputRequest = {readonly prompt: string; readonly isSecret: boolean};

/**
 * How a cell is run over the live link. `answers` (the default) lets it ask, `taker` gets its outputs piece by piece, `silent` counts as no
 * cell.
 */
export type LiveRunOptions = {
	readonly answers?: boolean;
	readonly taker?: OutputSink;
	readonly silent?: boolean;
	/** Called when the connection breaks while the cell runs (false), and when it is open again (true). */
	readonly onLink?: (isOpen: boolean) => void;
};

/** Words that may stand in place of what is between `from` and `to`. */
export type LiveCompletion = {
	readonly from: number;
	readonly to: number;
	readonly words: readonly CompletionItem[];
};

/** Files of a server by its own interface, which has more than the service's. */
export type LiveFiles = {
	/** A folder with its entries. */
	list(path: string): Promise<Reply<FileEntry>>;
	/** Without its content: what tells whether it has changed. */
	look(path: string): Promise<Reply<FileEntry>>;
	/** Renames. Never over what is there: `conflict`. */
	move(from: string, to: string): Promise<Reply<null>>;
	/** With the folders above it. What is there already is a `conflict`. */
	makeFolder(path: string): Promise<Reply<null>>;
	/** A folder with all that is in it. Whether the server has a trash is not known. */
	remove(path: string): Promise<Reply<null>>;
};

export type ShellSize = {readonly rows: number; readonly columns: number};

/** How a shell ended: `gone` its server knows it no more; `lost` the server did not answer for long; `too-much` it had printed more than can be brought back. */
export type ShellEnd = 'exited' | 'gone' | 'lost' | 'too-much';

export type ShellEvents = {
	/** What it printed, as it came: nothing of it is safe for a terminal yet. */
	readonly onText: (text: string) => void;
	/** The connection broke; it is opened again. */
	readonly onBreak: () => void;
	/** It is there again: what was printed before comes once more. */
	readonly onBack: () => void;
};

/** A shell on a server. */
export type LiveShell = {
	/** Never rejects. */
	readonly ended: Promise<ShellEnd>;
	/** False: there is no connection now, and nothing was sent. */
	type(text: string): boolean;
	resize(size: ShellSize): void;
	/** Ends it there too. */
	close(): Promise<void>;
};

/** `says` is the end of a sentence: why there is none. */
export type OpenedShell = {readonly shell: LiveShell} | {readonly says: string; readonly mayPass?: boolean};

/** How a shell ended here. `left`: by the keys for it; `stopped`: by a signal, or the terminal is gone. An object: it never began, and why. */
export type ShellOutcome = ShellEnd | 'left' | 'stopped' | Exclude<OpenedShell, {readonly shell: unknown}>;

/** What a server uses; null: not known. */
export type Load = {
	/** Bytes of memory of it and its kernels, and the most that they may have. What processes share counts once, where the server can tell. */
	readonly memory: number | null;
	readonly memoryLimit: number | null;
	/** Percent of one processor; of several it may be more than 100. */
	readonly cpu: number | null;
	/** Its GPUs together. */
	readonly gpu: GpuLoad | null;
	/** Bytes of each kernel, by id, where that is known. */
	readonly kernels: ReadonlyMap<string, number>;
};

/** GPUs of a server. `percent`: of their time, on average; memory in bytes, of all of them. Null: not known. */
export type GpuLoad = {
	readonly count: number;
	readonly percent: number | null;
	readonly memory: number | null;
	readonly memoryLimit: number | null;
};

/** A kernel as its server lists it. */
export type ListedKernel = {
	readonly id: string;
	/** Of its kernelspec. */
	readonly name: string;
	/** The server's word for what it does; null where that says nothing. */
	readonly state: string | null;
	/** ms since the epoch. */
	readonly lastActivity: number | null;
	/** Open channels. */
	readonly connections: number | null;
	/** What it was started for. */
	readonly sessions: readonly {readonly type: string; readonly path: string}[];
	/** Bytes of resident memory; null where the server does not tell. */
	readonly memory: number | null;
	/** The cells of the REPL run in it. */
	readonly isOfRepl: boolean;
};

/** A kernel that a server can start. `language`: null where it does not say. */
export type KernelSpec = {
	readonly name: string;
	readonly displayName: string;
	readonly language: string | null;
};

/** Kernels of a server by its own interface. `kernel` is a name. */
export type LiveKernels = {
	/** The id of the kernel that the cells of this name run in; it is started where there is none yet. */
	idOf(kernel: string): Promise<Reply<string>>;
	/** Whether the kernel that cells run in is heard, which may take half a minute to be found out. */
	hears(kernel: string, notebook?: string): Promise<boolean>;
	/** All of them. `kernel`: of the REPL. Starts none. */
	list(kernel: string): Promise<Reply<readonly ListedKernel[]>>;
	/** Those that it can start, by name; null where it does not say. */
	specs(): Promise<readonly KernelSpec[] | null>;
	/** A notebook's session gets a kernel of this name in place of one of another name, which ends. */
	setFor(notebook: string, kernel: string): Promise<Reply<null>>;
	/** The cells of this name run in the kernel of this id, as long as there is one; null: in that of their own session. */
	use(kernel: string, id: string | null): void;
	interrupt(id: string): Promise<Reply<null>>;
	/** Its names are gone afterwards, and what runs has ended. */
	restart(id: string): Promise<Reply<null>>;
	/** It is gone afterwards, and what ran there has ended. */
	shutDown(id: string): Promise<Reply<null>>;
};

/** A server's own Jupyter interface. `kernel` is a name. */
export type Live = {
	/** Starts a shell there. Never rejects. */
	shell(size: ShellSize, events: ShellEvents): Promise<OpenedShell>;
	readonly files: LiveFiles;
	readonly kernels: LiveKernels;
	/** What the server uses now; null where it does not tell: then it is asked no more. */
	load(): Promise<Load | null>;
	/** Ends the server itself, and what runs there. When it is offline the list says. */
	shutDown(): Promise<Reply<null>>;
	/** Null: there is no such kernel, and nothing was sent. `onChange` is called at each change. `notebook`: the path of the notebook whose own kernel it is for. */
	run(
		code: string,
		kernel: string,
		onChange: LiveChange,
		notebook?: string,
		record?: LiveRecorder,
		how?: LiveRunOptions,
	): Promise<LiveCell | null>;
	/** Goes on with a cell that an earlier program has sent; never sends it. `kernel`: its name. */
	goOn(kept: LiveRecording, kernel: string, onChange: LiveChange, record: LiveRecorder): Promise<LiveCell>;
	/** Null where the kernel cannot be asked now. Counts as no cell. */
	complete(code: string, cursor: number, kernel: string, notebook?: string): Promise<LiveCompletion | null>;
	/** What is known of the name at the cursor, or of the call around it; empty: nothing. Null as with `complete`. `detail` 1: with its source. */
	inspect(
		code: string,
		cursor: number,
		detail: 0 | 1,
		kernel: string,
		notebook?: string,
	): Promise<string | null>;
	/** Ends the connection; kernels live on. `isLost`: what runs is not waited for any more, and says so. */
	close(isLost?: boolean): void;
};

/**
 * What came of looking for a server's live link. `says` ends a sentence: why there is none; with `mayPass` it may be there later, with `refused`
 * the profile allows none. `asks`: an origin that the user has to allow first.
 */
export type LinkResult =
	| {readonly live: Live}
	| {readonly says: string; readonly mayPass?: boolean; readonly refused?: Failure}
	| {readonly asks: string};

/** What our service tells of a server for its link. */
export type LinkInfo = {
	/** Why there is no token. */
	readonly token_reason?: unknown;
	/** PEM of an authority to trust besides the usual ones. */
	readonly certificate_authority?: unknown;
};

/** One method per endpoint. None of them throws for what the network or the service does. */
export type Client = {
	readonly baseUrl: string;
	/** A text without the API key and the tokens that the service's answers have held. */
	keyless(text: string): string;
	servers(options?: CallOptions): Promise<Reply<Listing<ServerItem>>>;
	compute(options?: CallOptions): Promise<Reply<Listing<ComputeOption>>>;
	environments(options?: CallOptions): Promise<Reply<Listing<Environment>>>;
	createServer(request: CreateRequest, options?: CallOptions): Promise<Reply<CreatedServer>>;
	startServer(name: string, request: StartRequest, options?: CallOptions): Promise<Reply<StartedServer>>;
	/** Puts a running Jupyter Server into the list, on a service that is ours; it is looked at first. */
	attachServer(request: AttachRequest, options?: CallOptions): Promise<Reply<AttachAnswer>>;
	/** Takes one out of the list; nothing there is stopped. */
	detachServer(name: string, options?: CallOptions): Promise<Reply<null>>;
	/** What people call the language models behind the assistant's, on a service that is ours. */
	modelNames(options?: CallOptions): Promise<Reply<readonly ModelName[]>>;
	/** Where users make their keys, as a service of ours tells whoever asks; null where it does not say. */
	keyPage(options?: CallOptions): Promise<Reply<string | null>>;
	/** A folder of the user's own as a server of their local service. */
	openProject(request: ProjectRequest, options?: CallOptions): Promise<Reply<ProjectAnswer>>;
	/** `onBeginning`: gets a long text with as much of its content as came first, where the service says before it that it is one. */
	getFile(
		server: string,
		path: string,
		options?: CallOptions & {readonly onBeginning?: (entry: FileEntry) => void},
	): Promise<Reply<FileEntry>>;
	getTaggedFile(server: string, path: string, options?: CallOptions): Promise<Reply<TaggedFile>>;
	/** `tag`: the service is to refuse (412) when the file holds something else by now. */
	putFile(
		server: string,
		path: string,
		upload: UploadRequest,
		options?: CallOptions & {readonly tag?: string | null},
	): Promise<Reply<FileEntry>>;
	/** Waits as long as the code runs. Aborting closes the request. */
	runCode(server: string, request: RunRequest, options?: CallOptions): Promise<Reply<ExecutedCell>>;
	/** Any call, with the answer as it came. */
	call(typed: TypedCall, options?: CallOptions): Promise<Reply<TypedAnswer>>;
	/** The live link to a server, where its own address answers as Jupyter does. */
	live(
		server: Pick<ServerItem, 'url' | 'token'> & LinkInfo,
		allowed: ReadonlySet<string>,
	): Promise<LinkResult>;
	/** Fails only when nothing of an answer came; else the part received is the value, with `problem` set. */
	chat(
		server: string,
		model: string,
		messages: readonly Message[],
		options?: ChatOptions,
	): Promise<Reply<ChatAnswer>>;
};

/** How a call ended: its HTTP status when an answer came, what went wrong when something did, with its evidence. */
export type CallEnd = {readonly status?: number; readonly problem?: FailureKind; readonly failure?: Failure};

/** Called with every call when it is sent; answers with what is called at its end. `body` is the JSON that is sent, without uploads. */
export type CallWatch = (call: {
	readonly method: string;
	readonly path: string;
	readonly body?: object;
	readonly cancel: () => void;
}) => (end: CallEnd) => void;

export type ClientSettings = {
	/** With or without a trailing slash; `http:` only for loopback unless `insecureHttp`. */
	readonly baseUrl: string;
	/** Null: calls are nobody's. */
	readonly apiKey: string | null;
	/** Path of a PEM file to trust besides the built-in authorities. */
	readonly caFile?: string;
	readonly insecureHttp?: boolean;
	/** Environment that names the proxies (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY); without it, and for loopback, none is used. */
	readonly proxyEnv?: Readonly<Record<string, string | undefined>>;
	readonly watch?: CallWatch;
};
