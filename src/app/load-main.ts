/** Main module. `keepCompiled`: saves the code that was compiled so far, for the next start. */
export type Main<Module> = Module & {readonly keepCompiled: () => void};

export type Screens = Pick<typeof import('./main.tsx'), 'runScreens'>;
export type Commands = Pick<typeof import('./main-command.ts'), 'runCommand' | 'openMcp'>;
export type Service = Pick<typeof import('./serve.ts'), 'serve'>;

/** Does nothing: Node caches the code of modules automatically. */
const keepCompiled = (): void => {};

/**
 * Loads the screens as modules. Except in a plain build, the build replaces this file with
 * `load-script.ts`.
 */
export const loadScreens = async (): Promise<Main<Screens>> => {
	const {runScreens} = await import('./main.tsx');
	return {runScreens, keepCompiled};
};

export const loadCommands = async (): Promise<Main<Commands>> => {
	const {runCommand, openMcp} = await import('./main-command.ts');
	return {runCommand, openMcp, keepCompiled};
};

export const loadService = async (): Promise<Main<Service>> => {
	const {serve} = await import('./serve.ts');
	return {serve, keepCompiled};
};
