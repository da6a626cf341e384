/** The module of the screens, and what keeps for the next start what was compiled until then. */
export type Screens = Pick<typeof import('./main.tsx'), 'runScreens'> & {readonly keepCompiled: () => void};

/** As a module. The build puts `load-script.ts` in its place, unless it is a plain one. */
export const loadScreens = async (): Promise<Screens> => {
	const {flushCompileCache} = await import('node:module');
	return {...(await import('./main.tsx')), keepCompiled: flushCompileCache};
};
