// Preloaded into the built program (`--import`). On SIGUSR2 its clock advances by MOVE
// milliseconds, but its timers do not, as after a laptop's sleep or a change of the clock.
const {now} = Date;
let moved = 0;
Date.now = () => now() + moved;
process.on('SIGUSR2', () => {
	moved += Number(process.env['MOVE']);
});
