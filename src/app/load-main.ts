/** A main module, and a function that keeps for the next start, at the end, what was compiled until then. */
export type Main<Module> = Module & {readonly keepCompiled: () => void};

export type Screens = Pick<typeof import('./main.tsx'), 'runScreens'>;
export type Commands = Pick<typeof import('./main-command.ts'), 'runCommand'>;
export type Service = Pick<typeof import('./serve.ts'), 'serve'>;

/** Node keeps the code of modules by itself. */
const keepCompiled = (): void => {};

/** As modules. The build puts `load-script.ts` in place of this file, unless it is a plain one. */
export const loadScreens = async (): Promise<Main<Screens>> => {
	const {runScreens} = await import('./main.tsx');
	return {runScreens, keepCompiled};
};

export const loadCommands = async (): Promise<Main<Commands>> => {
	const {runCommand} = await import('./main-command.ts');
	return {runCommand, keepCompiled};
};

export const loadService = async (): Promise<Main<Service>> => {
	const {serve} = await import('./serve.ts');
	return {serve, keepCompiled};
};
