/** The module of the screens, and what keeps at the end, for the next start, what was compiled until then. */
export type Screens = Pick<typeof import('./main.tsx'), 'runScreens'> & {readonly keepCompiled: () => void};

/** As a module, of which Node keeps that by itself. The build puts `load-script.ts` in its place, unless it is a plain one. */
export const loadScreens = async (): Promise<Screens> => ({
	...(await import('./main.tsx')),
	keepCompiled() {},
});
