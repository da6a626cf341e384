/**
 * Topics of `svc-tui help TOPIC`. `keys` is the key table with the user's settings. All others are
 * pages of src/docs.
 */
export const TOPICS = [
	'screens',
	'keys',
	'commands',
	'query',
	'recipe',
	'notebooks',
	'live',
	'assistant',
	'local-service',
	'hosting',
	'proxy',
	'hub',
	'containers',
	'limits',
	'settings',
	'json',
	'security',
	'trouble',
	'exit-codes',
	'other-tools',
] as const;

/** Pages of src/docs that end the help of a command. */
export const COMMAND_PAGES: Readonly<Record<string, string>> = {
	attach: 'attach',
	compute: 'query',
	cost: 'cost',
	env: 'environments',
	files: 'files',
	job: 'job',
	mcp: 'mcp',
	run: 'run',
	shell: 'shell',
	ssh: 'ssh',
	up: 'recipe',
	work: 'work',
};
