// Content of the files that the daemons and clients of a lab read.

/** Addresses and ports of one lab; all are on loopback. */
export type LabPlan = {
	/** The path is short, because paths of sockets below it are limited to 108 bytes. */
	readonly folder: string;
	/**
	 * The first two bytes of its addresses. They are random, so that labs do not share addresses.
	 */
	readonly network: string;
	readonly sshPort: number;
	readonly nodePort: number;
	readonly controllerPort: number;
	/** Ports of slurmd, one for each node. */
	readonly slurmdPorts: readonly number[];
};

/** Users of the lab. Bob, finn, carol, zoe and dash may not log in to the nodes over SSH. */
export const LAB_USERS = [
	{name: 'alice', uid: 20_001, shell: '/bin/bash'},
	{name: 'bob', uid: 20_002, shell: '/bin/bash'},
	{name: 'finn', uid: 20_003, shell: '/usr/bin/fish'},
	{name: 'carol', uid: 20_004, shell: '/usr/bin/tcsh'},
	{name: 'zoe', uid: 20_005, shell: '/usr/bin/zsh'},
	{name: 'dash', uid: 20_006, shell: '/bin/dash'},
] as const;

export type LabUser = (typeof LAB_USERS)[number]['name'];

export const LAB_NODES = ['n1', 'n2'] as const;
export type LabNode = (typeof LAB_NODES)[number];

/** Name of the login node. */
export const LOGIN = 'login1';
export type LabMachine = typeof LOGIN | LabNode;
export const MACHINES: readonly LabMachine[] = [LOGIN, ...LAB_NODES];

export const addressOf = ({network}: LabPlan, machine: LabMachine): string =>
	`${network}.${MACHINES.indexOf(machine) + 10}`;

export const usersText = ({folder}: LabPlan): {readonly passwd: string; readonly group: string} => ({
	passwd: LAB_USERS.map(
		({name, uid, shell}) => `${name}:x:${uid}:${uid}:${name}:${folder}/home/${name}:${shell}\n`,
	).join(''),
	group: LAB_USERS.map(({name, uid}) => `${name}:x:${uid}:\n`).join(''),
});

export const hostsText = (plan: LabPlan): string =>
	`127.0.0.1 localhost\n${MACHINES.map(name => `${addressOf(plan, name)} ${name}\n`).join('')}`;

export const sshdConfig = (plan: LabPlan, machine: LabMachine): string => `
Port ${machine === LOGIN ? plan.sshPort : plan.nodePort}
ListenAddress ${addressOf(plan, machine)}
HostKey ${plan.folder}/etc/host_key
PidFile ${plan.folder}/run/sshd.${machine}.pid
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
AuthorizedKeysFile .ssh/authorized_keys
StrictModes no
PrintMotd no
Banner ${plan.folder}/etc/banner
Subsystem sftp internal-sftp
${machine === LOGIN ? '' : 'AllowUsers alice'}
`;

/** Banner of sshd. It has non-ASCII characters, because clients must accept them. */
export const BANNER = '*** Authorised use only. Accès réservé. ***\n';

/**
 * Configuration of `ssh`. `lab` is alice on the login node, `lab-NAME` is each other user there,
 * and `behind` is alice on a node, reached through the login node.
 */
export const clientConfig = (plan: LabPlan): string =>
	[
		...LAB_USERS.map(
			({name}) =>
				`Host ${name === 'alice' ? 'lab' : `lab-${name}`}
	User ${name}
	HostName ${addressOf(plan, LOGIN)}
	Port ${plan.sshPort}
`,
		),
		`Host ${LAB_NODES.join(' ')}
	User alice
	Port ${plan.nodePort}
`,
		`Host behind
	User alice
	HostName n1
	Port ${plan.nodePort}
	ProxyJump lab
`,
		`Host *
	IdentityFile ${plan.folder}/client/id_ed25519
	IdentitiesOnly yes
	UserKnownHostsFile ${plan.folder}/client/known_hosts
	GlobalKnownHostsFile /dev/null
`,
	].join('\n');

export const knownHosts = (plan: LabPlan, hostKey: string): string =>
	[`[${addressOf(plan, LOGIN)}]:${plan.sshPort}`, ...LAB_NODES.map(node => `[${node}]:${plan.nodePort}`)]
		.map(name => `${name} ${hostKey.split(' ').slice(0, 2).join(' ')}\n`)
		.join('');

/**
 * Configuration of Slurm. Each node claims 8 CPUs and 16 GB; with `config_overrides`, slurmd
 * accepts that.
 */
export const slurmConf = (plan: LabPlan): string => `
ClusterName=lab
SlurmctldHost=${LOGIN}(${addressOf(plan, LOGIN)})
SlurmctldPort=${plan.controllerPort}
CommunicationParameters=NoCtldInAddrAny
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=${plan.folder}/run/munge.sock
CredType=cred/munge
SlurmctldPidFile=${plan.folder}/run/slurmctld.pid
SlurmdPidFile=${plan.folder}/run/slurmd.%n.pid
StateSaveLocation=${plan.folder}/state/controller
SlurmdSpoolDir=${plan.folder}/state/slurmd.%n
SlurmctldLogFile=${plan.folder}/log/slurmctld.log
SlurmdLogFile=${plan.folder}/log/slurmd.%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=500
GresTypes=gpu
ReturnToService=2
SlurmdTimeout=30
KillWait=2
OverTimeLimit=0
MinJobAge=300
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0,sched_min_interval=0
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
JobRequeue=1
PropagateResourceLimits=NONE
${LAB_NODES.map(
	(node, index) =>
		`NodeName=${node} NodeHostname=${node} NodeAddr=${addressOf(plan, node)} Port=${plan.slurmdPorts[index]} CPUs=8 Boards=1 SocketsPerBoard=1 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=16000 Gres=gpu:a100:2 State=UNKNOWN`,
).join('\n')}
PartitionName=gpu Nodes=ALL Default=YES MaxTime=01:00:00 DefaultTime=00:10:00 PriorityTier=10 State=UP
PartitionName=spot Nodes=ALL MaxTime=04:00:00 DefaultTime=00:10:00 PriorityTier=1 PreemptMode=REQUEUE GraceTime=1 State=UP
`;

/**
 * Configuration of GPUs. Slurm rejects a count without device files (the node becomes INVAL), but
 * accepts any device file.
 */
export const GRES_CONF =
	'AutoDetect=off\nName=gpu Type=a100 File=/dev/null\nName=gpu Type=a100 File=/dev/zero\n';
