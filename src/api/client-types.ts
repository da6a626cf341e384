import type {Message, Usage} from '../contract/assistant.ts';
import type {AttachAnswer, AttachRequest} from '../contract/attach.ts';
import type {ExecutedCell, RunRequest} from '../contract/cells.ts';
import type {ComputeOption} from '../contract/compute.ts';
import type {Environment} from '../contract/environments.ts';
import type {FileEntry, UploadRequest} from '../contract/files.ts';
import type {CreateEnvironmentRequest, EnvironmentContents} from '../contract/environment-setup.ts';
import type {AdoptRequest, HostItem, HostList, LeftItem} from '../contract/hosts.ts';
import type {CompletionItem} from '../kernel/messages.ts';
import type {OutputSink} from '../kernel/output-buffer.ts';
import type {ProjectAnswer, ProjectRequest} from '../contract/project.ts';
import type {
	CreatedServer,
	CreateRequest,
	ServerItem,
	StartedServer,
	StartRequest,
} from '../contract/servers.ts';
import type {LimitsAnswer, LimitsRequest} from '../contract/limits.ts';
import type {ModelName} from '../contract/model-names.ts';
import type {Failure, FailureKind, Reply} from './failure.ts';
import type {TypedAnswer, TypedCall} from './methods.ts';

export type CallOptions = {readonly signal?: AbortSignal};

/** A file with the strong ETag of its content. `tag` is null if the service sends none. */
export type TaggedFile = {readonly entry: FileEntry; readonly tag: string | null};

/** Readable items of a list. `raw` is the service's own array, unreadable items included. */
export type Listing<T> = {
	readonly items: readonly T[];
	readonly unreadable: number;
	readonly raw: readonly unknown[];
};

/** Parts of a stream besides the answer, for the debug log and the detail view. */
export type StreamNotes = {
	/** Text of the `g` lines. */
	readonly reasoning: string;
	/** Number of lines with an unknown code, per code. */
	readonly skipped: Readonly<Record<string, number>>;
	/** Number of unreadable lines. `badSamples` has up to three of them, raw. */
	readonly bad: number;
	readonly badSamples: readonly string[];
};

/** An answer as far as it arrived. `problem`: why it is incomplete, or the assistant's error. */
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
	/** Called with each fragment in order, as it arrives. An exception from it rejects the call. */
	readonly onText?: (fragment: string) => void;
	/** Called with the model's reasoning, which is not part of the answer. */
	readonly onThought?: (fragment: string) => void;
};

/** Data needed to resume a running cell from another process. Contains no token. */
export type ResumeInfo = {
	/** Kernel id, and the session for which the server buffers the kernel's messages. */
	readonly kernel: string;
	readonly session: string;
	/** Id of the `execute_request`. */
	readonly request: string;
};

/** Records a cell on disk, so that no output is lost if the program is killed. Never throws. */
export type LiveRecorder = {
	/** Called before the cell is sent. */
	begin(at: ResumeInfo): void;
	/** Shared by the cells of a document. Each message is added once. */
	readonly log: {
		/** Adds a message of this session, as a line. */
		add(session: string, line: string): void;
	};
};

/** Cells that an earlier program has sent to a kernel in one session, and the messages received. */
export type LiveRecording = Omit<ResumeInfo, 'request'> & {
	/** Cells, in the order in which the kernel runs them. */
	readonly cells: readonly {
		readonly request: string;
		readonly source: string;
		readonly record: LiveRecorder;
		readonly how?: Pick<LiveRunOptions, 'taker' | 'onLink'>;
	}[];
	/** Number of messages before those in `lines`. */
	readonly came: number;
	/** Lines that a {@link LiveRecorder} has recorded. */
	readonly lines: readonly string[];
};

/** Outcome of a cell that was run over the live link. */
export type LiveOutcome =
	| {readonly kind: 'done'}
	/**
	 * Not sent, so the caller may use the service instead. `isNew`: there is a new kernel, so retry
	 * on this link. `isSilent`: the kernel exists but does not reply. For a resumed cell: its
	 * kernel no longer exists.
	 */
	| {readonly kind: 'unsent'; readonly isNew?: true; readonly isSilent?: true}
	/**
	 * Sent, but not run. `aborted`: an earlier cell raised an error. `kernel-ended`: the kernel
	 * ended during an earlier cell. `never-arrived`: lost with a broken connection.
	 */
	| {readonly kind: 'not-run'; readonly why: 'aborted' | 'kernel-ended' | 'never-arrived'}
	/** The outcome is unknown: the cell may or may not have run. */
	| {readonly kind: 'failed'; readonly failure: Failure};

/**
 * Called at each change. `value`: the value of the code is now among the outputs. `sent`: the
 * request was sent. `began`: the kernel started the cell.
 */
export type LiveChange = (what?: 'value' | 'sent' | 'began') => void;

/** A cell that runs over the live link. */
export type LiveCell = {
	/** Never rejects. */
	readonly ended: Promise<LiveOutcome>;
	/** Current outputs. After the end, threads and display updates may still change them. */
	now(): ExecutedCell;
	/** Size of the messages received for this cell, in UTF-16 units. */
	came(): number;
	/** Approximate size of the outputs that are drawn, in UTF-16 units. */
	drawn(): number;
	interrupt(): void;
	/** Pending `input()`, as a new object for each request. Null if there is none. */
	asks(): InputRequest | null;
	/** Replies to the pending `input()`. U+0004 is end of input. Secret input is never stored. */
	answer(text: string): void;
	/** Kernel process, as `KERNEL/PROCESS`; PROCESS changes at each restart. Null if unknown. */
	life(): string | null;
	/**
	 * Number of cells of other clients that the kernel ran since the previous cell of this link.
	 */
	others(): number;
};

/** Pending `input()` or `getpass()`. The end of the cell's outputs already contains the prompt. */
export type InputRequest = {readonly prompt: string; readonly isSecret: boolean};

/**
 * Options of a cell. `answers`: the cell may call `input()` (default true). `taker`: receives each
 * output as it arrives. `silent`: the code does not count as a cell. `stopOnError`: if the cell
 * raises an error, the kernel aborts the cells that wait behind it. `follows`: the cell is sent
 * only to the kernel that already holds earlier cells of the session.
 */
export type LiveRunOptions = {
	readonly answers?: boolean;
	readonly taker?: OutputSink;
	readonly silent?: boolean;
	readonly stopOnError?: boolean;
	readonly follows?: boolean;
	/**
	 * Called with false if the connection breaks while the cell runs, and with true once it is open
	 * again.
	 */
	readonly onLink?: (isOpen: boolean) => void;
};

/** Completions that replace the text between `from` and `to`. */
export type LiveCompletion = {
	readonly from: number;
	readonly to: number;
	readonly words: readonly CompletionItem[];
};

/** `onWait`: called with true while the kernel runs other code, then with false. */
export type EvaluateHow = {readonly signal?: AbortSignal; readonly onWait?: (waits: boolean) => void};

/**
 * End of an evaluation. `none`: the kernel evaluates no such expressions, or its code failed.
 * `lost`: the kernel ended or the connection broke. `left`: the signal was aborted.
 */
export type Evaluated =
	{readonly kind: 'value'; readonly text: string} | {readonly kind: 'none' | 'lost' | 'left'};

/** Files of a server through its Jupyter contents API, which offers more than the service's. */
export type LiveFiles = {
	list(path: string): Promise<Reply<FileEntry>>;
	/** A file without its content, to detect changes. */
	stat(path: string): Promise<Reply<FileEntry>>;
	/** Renames a file or folder. Fails with `conflict` if `to` exists. */
	move(from: string, to: string): Promise<Reply<null>>;
	/** Creates a folder and its parents. Fails with `conflict` if the path exists. */
	makeFolder(path: string): Promise<Reply<null>>;
	/** Deletes a file, or a folder with its contents. On some servers it cannot be restored. */
	remove(path: string): Promise<Reply<null>>;
};

export type ShellSize = {readonly rows: number; readonly columns: number};

/**
 * `gone`: the shell no longer exists on the server. `lost`: the server was silent for too long.
 * `too-much`: the shell printed more than the server can replay.
 */
export type ShellEnd = 'exited' | 'gone' | 'lost' | 'too-much';

export type ShellEvents = {
	/** Raw output, not yet safe for a terminal. */
	readonly onText: (text: string) => void;
	/** The connection broke and is being reopened. */
	readonly onBreak: () => void;
	/** The connection is open again, and the server is about to repeat the earlier output. */
	readonly onBack: () => void;
};

export type LiveShell = {
	/** Never rejects. */
	readonly ended: Promise<ShellEnd>;
	/** Sends input. Returns false if there is no connection and nothing was sent. */
	type(text: string): boolean;
	resize(size: ShellSize): void;
	/** Ends the shell on the server too. */
	close(): Promise<void>;
};

/**
 * `says`: reason why the shell was not opened, as the end of a sentence. `mayPass`: a retry may
 * succeed.
 */
export type OpenedShell = {readonly shell: LiveShell} | {readonly says: string; readonly mayPass?: boolean};

/**
 * `left`: the user left the shell with its escape keys. `stopped`: by a signal or a closed
 * terminal. An object: the shell was not opened.
 */
export type ShellOutcome = ShellEnd | 'left' | 'stopped' | Exclude<OpenedShell, {readonly shell: unknown}>;

/** Resource usage of a server. Null if unknown. */
export type Load = {
	/**
	 * Memory of the server and its kernels, in bytes. If possible, shared memory is counted once.
	 */
	readonly memory: number | null;
	readonly memoryLimit: number | null;
	/** Load of the processors. 100 is one whole processor, so the value may exceed 100. */
	readonly cpu: number | null;
	/** Load of all its GPUs together. */
	readonly gpu: GpuLoad | null;
	/** Memory per kernel id, in bytes. */
	readonly kernels: ReadonlyMap<string, number>;
};

/**
 * Load of the GPUs. `percent`: average share of time in which they were busy. Memory: sum over all
 * GPUs, in bytes. Null if unknown.
 */
export type GpuLoad = {
	readonly count: number;
	readonly percent: number | null;
	readonly memory: number | null;
	readonly memoryLimit: number | null;
};

export type ListedKernel = {
	readonly id: string;
	/** Name of the kernelspec. */
	readonly name: string;
	/** State as the server reports it. Null if it reports none. */
	readonly state: string | null;
	/** In ms since the epoch. */
	readonly lastActivity: number | null;
	/** Number of open connections to the kernel. */
	readonly connections: number | null;
	readonly sessions: readonly {readonly type: string; readonly path: string}[];
	/** Resident memory in bytes. Null if unknown. */
	readonly memory: number | null;
	/** True if this kernel runs the cells of the session that the list was requested for. */
	readonly isOfSession: boolean;
};

/** A kernel that a server can start. `language` is null if unknown. */
export type KernelSpec = {
	readonly name: string;
	readonly displayName: string;
	readonly language: string | null;
};

/** Jupyter session of a document. The session's kernel runs the document's code. */
export type LiveSession = {
	/** Identifies the session. Jupyter uses the path of the file for a notebook. */
	readonly path: string;
	readonly type: 'console' | 'notebook';
	/** Name in lists of sessions. */
	readonly name: string;
	/** Name of the kernel that a new session starts. */
	readonly kernel: string;
};

/**
 * Sharing of a kernel. `with`: paths of its other sessions. `why`: reason as a sentence, null if
 * unknown.
 */
export type KernelSharing = {readonly with: readonly string[]; readonly why: string | null};

/** Kernels of a server through its Jupyter API. */
export type LiveKernels = {
	/** Id of the session's kernel. Opens the session if necessary. */
	idOf(session: LiveSession): Promise<Reply<string>>;
	/** True if that kernel responds. May take half a minute. */
	hears(session: LiveSession): Promise<boolean>;
	/** Users of the session's kernel. Opens the session if necessary. */
	sharing(session: LiveSession): Promise<Reply<KernelSharing>>;
	/** Deletes a session that this link has opened. The server then ends its kernel. */
	end(session: LiveSession): Promise<void>;
	/** All running kernels, with the kernel of `session` marked. Starts no kernel. */
	list(session: LiveSession): Promise<Reply<readonly ListedKernel[]>>;
	/** Kernels that the server can start, sorted by name. Null if unknown. */
	specs(): Promise<readonly KernelSpec[] | null>;
	/**
	 * Starts a new kernel in an existing session, with the kernel name of `session`, and shuts the
	 * old kernel down.
	 */
	replace(session: LiveSession): Promise<Reply<null>>;
	/**
	 * Runs this session's code in the kernel with this id, as long as it exists. Null undoes this.
	 */
	use(session: LiveSession, id: string | null): void;
	interrupt(id: string): Promise<Reply<null>>;
	/** Restarts the kernel. Its variables are lost, and its running code ends. */
	restart(id: string): Promise<Reply<null>>;
	shutDown(id: string): Promise<Reply<null>>;
};

/** A server's own Jupyter API. */
export type Live = {
	/** Starts a shell on the server. Never rejects. */
	shell(size: ShellSize, events: ShellEvents): Promise<OpenedShell>;
	readonly files: LiveFiles;
	readonly kernels: LiveKernels;
	/** Current resource usage. Null if the server does not report it. */
	load(): Promise<Load | null>;
	/** Shuts down the server and its kernels. The list of servers shows when it is offline. */
	shutDown(): Promise<Reply<null>>;
	/**
	 * Sends code to the session's kernel. Resolves to null, without sending, if the session has no
	 * kernel.
	 */
	run(
		code: string,
		session: LiveSession,
		onChange: LiveChange,
		record?: LiveRecorder,
		how?: LiveRunOptions,
	): Promise<LiveCell | null>;
	/**
	 * Resumes cells that an earlier program has sent, without sending them again. `changes`: one
	 * for each cell.
	 */
	goOn(
		left: LiveRecording,
		session: LiveSession,
		changes: readonly LiveChange[],
	): Promise<readonly LiveCell[]>;
	/** Completions at the cursor. Null if the kernel cannot reply now. Does not count as a cell. */
	complete(code: string, cursor: number, session: LiveSession): Promise<LiveCompletion | null>;
	/**
	 * Documentation at the cursor. Empty if there is none, null if the kernel cannot reply now.
	 * `detail`: 1 includes the source.
	 */
	inspect(code: string, cursor: number, detail: 0 | 1, session: LiveSession): Promise<string | null>;
	/**
	 * Evaluates an expression without a cell. Waits while the kernel runs code. Starts no kernel.
	 * `life`: the process that replied, as in {@link LiveCell.life}.
	 */
	evaluate(
		expression: string,
		session: LiveSession,
		how?: EvaluateHow,
	): Promise<{readonly end: Evaluated; readonly life: string | null}>;
	/**
	 * Closes the connection. Kernels keep running. `isLost`: ends running cells with an unknown
	 * outcome.
	 */
	close(isLost?: boolean): void;
};

/**
 * Live link, or the reason why there is none. `says`: the reason as the end of a sentence.
 * `mayPass`: a later retry may succeed. `refused`: the profile forbids the link. `asks`: an origin
 * that the user must allow first.
 */
export type LinkResult =
	| {readonly live: Live}
	| {readonly says: string; readonly mayPass?: boolean; readonly refused?: Failure}
	| {readonly asks: string};

/** Fields for the live link that our service adds to its server items. */
export type LinkInfo = {
	/** Reason why the item contains no token. */
	readonly token_reason?: unknown;
	/** PEM of an extra CA certificate to trust. */
	readonly certificate_authority?: unknown;
};

/**
 * Ways to get a key. `page`: page where users create keys, or null. `hasBrowser`: true if a browser
 * can sign users in.
 */
export type SignInWays = {readonly page: string | null; readonly hasBrowser: boolean};

/** Client of a service. Network and service failures are returned, never thrown. */
export type Client = {
	readonly baseUrl: string;
	/** Replaces the API key and all tokens received from the service in a text. */
	keyless(text: string): string;
	servers(options?: CallOptions): Promise<Reply<Listing<ServerItem>>>;
	compute(options?: CallOptions): Promise<Reply<Listing<ComputeOption>>>;
	environments(options?: CallOptions): Promise<Reply<Listing<Environment>>>;
	createServer(request: CreateRequest, options?: CallOptions): Promise<Reply<CreatedServer>>;
	startServer(name: string, request: StartRequest, options?: CallOptions): Promise<Reply<StartedServer>>;
	/** Adds a running Jupyter Server to our service, which first checks that it responds. */
	attachServer(request: AttachRequest, options?: CallOptions): Promise<Reply<AttachAnswer>>;
	/** Removes an attached server from the list, without stopping anything. */
	detachServer(name: string, options?: CallOptions): Promise<Reply<null>>;
	/** SSH hosts of our service. */
	hosts(options?: CallOptions): Promise<Reply<HostList>>;
	/** Contents of the service's environments. */
	environmentContents(options?: CallOptions): Promise<Reply<readonly EnvironmentContents[]>>;
	/** Contents of one environment, with the size of its download. */
	planEnvironment(id: string, options?: CallOptions): Promise<Reply<EnvironmentContents>>;
	/**
	 * Records the user's consent to downloading the packages of an environment when a server
	 * starts.
	 */
	allowDownload(id: string, options?: CallOptions): Promise<Reply<EnvironmentContents>>;
	createEnvironment(
		request: CreateEnvironmentRequest,
		options?: CallOptions,
	): Promise<Reply<EnvironmentContents>>;
	removeEnvironment(id: string, options?: CallOptions): Promise<Reply<null>>;
	/** Connects to a host and adds its compute options and environments. */
	addHost(host: string, options?: CallOptions): Promise<Reply<HostItem>>;
	/** Path of the socket through which connections to a host are shared. */
	hostControl(host: string, options?: CallOptions): Promise<Reply<{readonly control: string}>>;
	/** Removes a host, and removes its offline servers from the list. */
	removeHost(host: string, options?: CallOptions): Promise<Reply<null>>;
	/** Connects to a host and lists the user's servers on it. */
	serversOnHost(host: string, options?: CallOptions): Promise<Reply<LeftItem[]>>;
	/** Adds a server on a host to this machine's list, by its id on the host or by its name. */
	adoptOnHost(request: AdoptRequest, options?: CallOptions): Promise<Reply<LeftItem>>;
	/** Stops a server on a host, in any state. The list of servers shows when it has stopped. */
	stopOnHost(name: string, options?: CallOptions): Promise<Reply<null>>;
	/**
	 * Opens a socket on this machine that leads to a port of a server's machine, for a server on a
	 * host.
	 */
	openPortOnHost(
		name: string,
		port: number,
		options?: CallOptions,
	): Promise<Reply<{readonly socket: string}>>;
	/** Limits at which our service stops servers, and today's cost. */
	limits(options?: CallOptions): Promise<Reply<LimitsAnswer>>;
	/** Changes the limits of a server. */
	setLimits(request: LimitsRequest, options?: CallOptions): Promise<Reply<LimitsAnswer>>;
	/** Display names of the language models behind the assistant's models, on our service. */
	modelNames(options?: CallOptions): Promise<Reply<readonly ModelName[]>>;
	/** Ways to get an API key. The request needs no key. */
	keyPage(options?: CallOptions): Promise<Reply<SignInWays>>;
	/** Exchanges the code of a sign-in in a browser for an API key. */
	finishSignIn(
		given: {readonly code: string; readonly verifier: string},
		options?: CallOptions,
	): Promise<Reply<string>>;
	/** Opens a folder of the user as a server of the local service. */
	openProject(request: ProjectRequest, options?: CallOptions): Promise<Reply<ProjectAnswer>>;
	/**
	 * Reads a file. `onBeginning`: receives the start of a long text early, if the format precedes
	 * the content in the response.
	 */
	getFile(
		server: string,
		path: string,
		options?: CallOptions & {readonly onBeginning?: (entry: FileEntry) => void},
	): Promise<Reply<FileEntry>>;
	getTaggedFile(server: string, path: string, options?: CallOptions): Promise<Reply<TaggedFile>>;
	/**
	 * Writes a file. `tag`: the service rejects the write with 412 if the file's tag is now another
	 * one.
	 */
	putFile(
		server: string,
		path: string,
		upload: UploadRequest,
		options?: CallOptions & {readonly tag?: string | null},
	): Promise<Reply<FileEntry>>;
	/**
	 * Runs code and waits for its end, however long it takes. Aborting the signal closes the
	 * request.
	 */
	runCode(server: string, request: RunRequest, options?: CallOptions): Promise<Reply<ExecutedCell>>;
	/** Sends any call and returns the raw response. */
	call(typed: TypedCall, options?: CallOptions): Promise<Reply<TypedAnswer>>;
	/** Live link to a server, if its own address is a Jupyter server. */
	live(
		server: Pick<ServerItem, 'url' | 'token'> & LinkInfo,
		allowed: ReadonlySet<string>,
	): Promise<LinkResult>;
	/** Fails only if nothing of an answer arrived. A partial answer has `problem` set. */
	chat(
		server: string,
		model: string,
		messages: readonly Message[],
		options?: ChatOptions,
	): Promise<Reply<ChatAnswer>>;
};

/**
 * End of a call. `status`: HTTP status if there was a response. `failure`: present if the call
 * failed.
 */
export type CallEnd = {readonly status?: number; readonly problem?: FailureKind; readonly failure?: Failure};

/**
 * Called for each request, without uploaded bodies. The returned function is called at the end of
 * the request.
 */
export type CallWatch = (call: {
	readonly method: string;
	readonly path: string;
	readonly body?: object;
	readonly cancel: () => void;
}) => (end: CallEnd) => void;

export type ClientSettings = {
	/**
	 * Base URL, with or without a trailing slash. `http:` is allowed only for loopback, unless
	 * `insecureHttp` is set.
	 */
	readonly baseUrl: string;
	/** API key. Null to send none. */
	readonly apiKey: string | null;
	/** Path of a PEM file with an extra CA certificate. */
	readonly caFile?: string;
	/** Paths of PEM files: certificate of this client, and its key if that is in another file. */
	readonly clientCertFile?: string;
	readonly clientKeyFile?: string;
	readonly insecureHttp?: boolean;
	/** Environment with HTTPS_PROXY, NO_PROXY and so on. Without it no proxy is used. */
	readonly proxyEnv?: Readonly<Record<string, string | undefined>>;
	readonly watch?: CallWatch;
};
