import {Argument, Option, type Command} from 'commander';
import {METHODS} from '../api/methods.ts';
import {COLUMNS} from '../settings/columns.ts';
import {add, type Choice, type Runs} from './add-command.ts';
import {addCatalogue} from './compute-table.ts';
import {SHELLS} from './shells.ts';
import {SCHEMA_NAMES} from './schema-names.ts';
import {SERVE_OPTIONS} from './serve-options.ts';
import {addFiles, collected} from './file-commands.ts';
import {addEnvironments} from './env-table.ts';
import {addHosts} from './host-table.ts';
import {addJobs} from './job-table.ts';

const addServers = (root: Command, runs: Runs): void => {
	add(root, 'servers [options]', 'list your servers')
		.option('--columns <LIST>', `columns to show, in this order: ${COLUMNS.servers.join(',')}`)
		.action(runs(async () => (await import('./servers.ts')).listServers));
	const server = add(
		root,
		'server create|start|wait|stop|limit|open NAME [options]',
		'create, start, wait for, shut down, limit or open a server',
	).helpCommand(false);
	add(
		server,
		'create NAME --environment E --compute C [options]',
		'create and start a server; with --folder, one that serves a local folder',
	)
		.argument('[NAME]', "name of the new server (with --folder, the folder's name)")
		.option('--environment <E>', 'environment id (see svc-tui environments)')
		.option('--compute <C>', 'compute option id (see svc-tui compute)')
		.option('--port <N>', 'port of the notebook server (default 8888)')
		.option('--time <T>', "time limit of a job in Slurm's queue, such as 90m, 8h or 2d")
		.option('--wait', 'wait until it is ready')
		.option('--download', 'allow the download of the packages of its environment')
		.option('--folder <DIR>', 'instead: a local server that works in this folder; nothing is copied')
		.option('--yes', 'do not ask before opening the folder (required without a terminal)')
		.addOption(new Option('--only').hideHelp())
		.action(runs(async () => (await import('./servers.ts')).createServer));
	add(server, 'start NAME [options]', 'start a server with the settings of its last start')
		.argument('<NAME>')
		.option('--wait', 'wait until it is ready; returns at once if it already is')
		.option('--download', 'allow the download of the packages of its environment')
		.action(runs(async () => (await import('./servers.ts')).startServer));
	add(server, 'wait NAME [options]', 'wait until a server is ready')
		.argument('<NAME>')
		.option('--timeout <S>', 'give up after this many seconds with exit code 5 (default 300)')
		.action(runs(async () => (await import('./servers.ts')).waitForServer));
	add(server, 'stop NAME [--yes]', 'shut down a server and wait until it is offline; files are kept')
		.argument('<NAME>')
		.option('--yes', 'also shut down an attached server, which someone else started')
		.action(runs(async () => (await import('./server-stop.ts')).stopServer));
	add(server, 'limit NAME [options]', 'show or set when the service stops a server (see svc-tui help limits)')
		.argument('<NAME>')
		.option('--idle-stop <T>', 'stop after this time without use: 30m, 8h, 2d; off, or default')
		.option('--max-run <T>', 'stop this long after its start: 30m, 8h, 2d; off, or default')
		.action(runs(async () => (await import('./server-limit.ts')).limitServer));
	add(server, 'open NAME [options]', 'open a server in the browser')
		.argument('<NAME>')
		.option('--editor', 'open its editor')
		.option('--forward', 'open its forward address')
		.option('--print', 'print the address without its token (default without a browser)')
		.option('--with-token', 'print the address with its token')
		.action(runs(async () => (await import('./server-open.ts')).openServer));
	add(root, 'cost [options]', 'estimated cost of your servers per day; not a bill')
		.option('--since <WHEN>', 'a number of days including today, or a date: 30d, 2026-11-01 (default 7d)')
		.option('--server <NAME>', 'only this server')
		.action(runs(async () => (await import('./costs/cost.ts')).printCosts));
	const attach = add(
		root,
		'attach [options]',
		'add a running Jupyter Server to your list; prompts for its URL and token, or reads them from a pipe',
	)
		.argument('[WORDS...]')
		.option('--name <NAME>', 'name in your list (default: from its address)')
		.option('--insecure-token', 'allow sending the token unencrypted to another machine')
		.action(runs(async () => (await import('./attach.ts')).attachServer));
	// Arguments are visible to all users of this machine. These options exist only so that they can
	// be rejected with a hint.
	for (const name of ['token', 'url', 'address'])
		attach.addOption(new Option(`--${name} [VALUE]`).hideHelp());
	add(root, 'detach NAME', 'remove an attached server from your list; it keeps running')
		.argument('<NAME>')
		.action(runs(async () => (await import('./attach.ts')).detachServer));
	addHosts(root, runs);
	addEnvironments(root, runs);
	add(
		root,
		'up RECIPE [options]',
		'create a server from a recipe: the cheapest matching compute option, files and warm-up code',
	)
		.argument('<RECIPE>', 'YAML file')
		.option('--yes', 'accept the price without asking (required without a terminal)')
		.option('--max-price <P>', 'maximum price per hour; overrides the recipe')
		.option('--dry-run', 'show what would be done, and stop')
		.option('--timeout <S>', 'wait this many seconds until it is ready (default 300)')
		.action(runs(async () => (await import('./up.ts')).up));
};

const addWork = (root: Command, runs: Runs): void => {
	addFiles(root, runs);
	add(
		root,
		'run SERVER [FILE|-] [-c CODE] [options] [-- ARGUMENT ...]',
		'run Python, or a notebook cell by cell, on a server',
	)
		.argument('[SERVER]', 'required, except with --attach')
		.argument('[FILE]', 'local .py or .ipynb file, or - for standard input (default in a pipe)')
		.argument('[ARGUMENT...]', 'after --: arguments for the script (sys.argv)')
		.option('-c, --code <CODE>', 'code to run')
		.option('--env <NAME=VALUE>', 'environment variable for this run (repeatable)', collected)
		.option(
			'--kernel <K>',
			"kernel name (default: the notebook's, else python3); shared: run files in the REPL's kernel too",
		)
		.option(
			'-o, --output <FILE>',
			'write the notebook with its outputs to this file, or - for standard output',
		)
		.option('-p, --parameter <NAME=VALUE>', 'notebook parameter (repeatable)', collected)
		.option('-r, --raw-parameter <NAME=VALUE>', 'notebook parameter as a string (repeatable)', collected)
		.option('--timeout <S>', 'stop with exit code 5 if a notebook cell takes longer')
		.option('--allow-errors', 'continue after a cell raises an error')
		.option('--progress', 'print the number of each notebook cell on stderr')
		.option('--detach', 'leave the file to its kernel: print an id and return at once')
		.option('--attach <ID>', 'print the outputs of a detached run from its start, and wait for its end')
		.action(runs(async () => (await import('./run/run.ts')).runCode));
	add(root, 'variables SERVER [options]', 'list the variables of a Python kernel by size')
		.argument('<SERVER>')
		.option('--kernel <K>', "name of the REPL's kernel (default: python3)")
		.option('--notebook <PATH>', 'instead: the kernel of this notebook on the server')
		.action(runs(async () => (await import('./variables.ts')).listVariables));
	addJobs(root, runs);
	add(root, 'shell SERVER', 'open a shell on a server; leave it with Enter ~.')
		.argument('<SERVER>')
		.action(runs(async () => (await import('./shell.ts')).openShell));
	add(root, 'forward SERVER PORT[:LOCAL]', 'forward a server port to localhost, until Ctrl-C')
		.argument('<SERVER>')
		.argument('<PORT>', 'port on the server, and optionally the local port')
		.action(runs(async () => (await import('./forward.ts')).forward));
	add(root, 'chat SERVER [-m MODEL] [PROMPT|-]', "ask a server's assistant")
		.argument('<SERVER>')
		.argument(
			'[PROMPT]',
			'question in quotes, with standard input appended; @PATH attaches a file on the server; - for standard input alone',
		)
		.option('-m, --model <MODEL>', 'model_1 to model_5 (model_2)')
		.action(runs(async () => (await import('./assistant.ts')).chat));
	add(root, 'work SERVER [GOAL|-] [options]', "let a server's assistant carry out a task, step by step")
		.argument('<SERVER>')
		.argument('[GOAL]', 'task in quotes, with standard input appended; - for standard input alone')
		.option('--allow <KINDS>', 'permissions, comma-separated: run, write, shell (default: read only)')
		.option('--max-steps <N>', 'give up after this many steps (default 40)')
		.option('--no-context', "do not send the server's AGENTS.md")
		.option('-m, --model <MODEL>', 'model_1 to model_5 (model_2)')
		.option('--diff', "at the end, print the task's changes to each file")
		.option('--undo', 'instead: undo the file changes of the last task (not what its code did)')
		.action(runs(async () => (await import('./work.ts')).workOn));
	add(root, 'api METHOD PATH [-d JSON]', "send a request to the service's API and print the response")
		.addArgument(new Argument('<METHOD>', 'HTTP method in capitals').choices(METHODS))
		.argument('<PATH>', 'path below the base URL, e.g. /api/servers')
		.option('-d, --data <JSON>', 'request body: JSON, @FILE, or - for standard input')
		.action(runs(async () => (await import('./api.ts')).callService));
	// The boot file starts the screens for `open`. This entry provides only its help, and its error
	// with --json.
	add(
		root,
		'open SERVER [files [PATH[:LINE]] | repl | chat]',
		"open the full-screen program at a server's files, a line, the REPL or the assistant",
	)
		.argument('[WORDS...]')
		.action(
			runs(async () => {
				const {usageError} = await import('./command-error.ts');
				throw usageError(
					'open starts the full-screen program and takes no --json or --jsonl.',
					'svc-tui files, run and chat print the same content.',
				);
			}),
		);
};

const addMcp = (root: Command, runs: Runs): void => {
	add(root, 'mcp [options]', 'run an MCP server (stdio) for other agents')
		.option('--allow <WHAT>', 'permissions, comma-separated: run, write, spend (default: read only)')
		.option('--max-price <P>', 'with spend: maximum price per hour of a server; you are asked each time')
		.action(runs(async () => (await import('./mcp/mcp.ts')).serveMcp));
};

const addServe = (root: Command): Command => {
	const serve = add(root, 'serve [options]', 'run the local service')
		.configureHelp({showGlobalOptions: false})
		.addHelpText(
			'after',
			'\nThe key is SVC_API_KEY, or is generated at the first start. The path of its file is printed, never the key.\nWithout --data, other svc-tui programs find this service automatically, unless its keys come from SVC_API_KEY or --keys.',
		);
	for (const [name, {value, what}] of Object.entries(SERVE_OPTIONS))
		serve.addOption(
			new Option(value === '' ? `--${name}` : `--${name} <${value}>`, what).hideHelp(name === 'leased'),
		);
	return serve;
};

/** Adds all commands. The module of a command is loaded only if the command is selected. */
export const addCommands = (root: Command, choose: (choice: Choice) => void): void => {
	const runs: Runs =
		load =>
		(...given) =>
			choose({name: 'command', run: async context => (await load())(context, ...(given as never[]))});
	addServers(root, runs);
	addCatalogue(root, runs);
	addWork(root, runs);
	add(
		root,
		'login [--base-url URL] [--profile NAME]',
		'sign in to a service (--base-url), stored as a profile (--profile); prompts for the key or reads it from a pipe',
	).action(runs(async () => (await import('./sign-in.ts')).login));
	add(root, 'logout [--profile NAME]', 'remove the stored key of a profile').action(
		runs(async () => (await import('./sign-in.ts')).logout),
	);
	const local = add(root, 'local stop', 'manage the automatically started local service').helpCommand(false);
	add(local, 'stop', 'stop the local service and its kernels; files are kept').action(
		runs(async () => (await import('./local.ts')).stopLocal),
	);
	addMcp(root, runs);
	addServe(root).action(() => choose({name: 'serve'}));
	add(root, 'completion bash|zsh|fish', 'print a shell completion script: source <(svc-tui completion bash)')
		.addArgument(new Argument('<SHELL>').choices(SHELLS))
		.action(runs(async () => (await import('./completion.ts')).printCompletion));
	add(root, `schema ${SCHEMA_NAMES.join('|')}`, 'print the JSON Schema of a file, for editors')
		.addArgument(new Argument('<FILE>').choices(SCHEMA_NAMES))
		.action(runs(async () => (await import('./schema.ts')).printSchema));
	add(root, 'info', 'print versions, paths, settings problems and terminal capabilities').action(() =>
		choose({name: 'info'}),
	);
};
