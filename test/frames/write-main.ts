// `npm run frames [-- WORD …]` draws the frames whose names contain one of the words, or all
// frames. Writes the changed frames.
import {writePictures} from '../../src/build/pictures.ts';
import {removeStrays, writeFrames} from './files.ts';
import {sceneName} from './scene.ts';
import {scenes} from './scenes/index.ts';

const words = process.argv.slice(2);
const some = scenes.filter(scene => words.every(word => sceneName(scene).includes(word)));
const written = await writeFrames(some);
const removed = removeStrays();
for (const path of written) console.log(`written  test/frames/${path}`);
for (const path of await writePictures()) console.log(`written  ${path}`);
for (const path of removed) console.log(`removed  test/frames/${path}`);
console.log(
	`${some.length} scenes, ${written.length} files written: git diff test/frames shows what has changed.`,
);
process.exit();
