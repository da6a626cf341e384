/** Value of `--kernel` for the kernel of the REPL. No kernel has this name. */
export const SHARED = 'shared';
