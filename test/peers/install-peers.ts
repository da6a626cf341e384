import {installPackages} from '../support/install-packages.ts';

export {INSTALL_MS} from '../support/install-packages.ts';

/** Path of this folder, without a trailing slash. */
export const PEERS = import.meta.dirname;

export const installPeers = (): Promise<void> => installPackages(PEERS);
