export const runCommand = async (args: readonly string[]): Promise<void> => {
	if (args[0] === 'serve') {
		const {serveCommand} = await import('./service/serve-command.ts');
		const data = args[args.indexOf('--data') + 1];
		process.exitCode = await serveCommand({port: 0, host: '127.0.0.1', dataFolder: data, engine: 'pyodide', leased: args.includes('--leased')} as never);
	}
};
