/** What `svc-tui help TOPIC` tells: pages of src/docs, and for `keys` the table as the settings make it. */
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
	'settings',
	'security',
	'trouble',
	'exit-codes',
] as const;

/** The page of src/docs that ends the help of a command. */
export const COMMAND_PAGES: Readonly<Record<string, string>> = {
	attach: 'attach',
	compute: 'query',
	cost: 'cost',
	files: 'files',
	job: 'job',
	mcp: 'mcp',
	run: 'run',
	shell: 'shell',
	up: 'recipe',
	work: 'work',
};
