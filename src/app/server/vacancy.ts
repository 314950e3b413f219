/**
 * Whether the port and the data directory are free, asked before anything is created: a start that
 * cannot succeed leaves nothing behind. The server reports later
 * what another process takes in between.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Config, ConfigFault } from '#config';
import { refuseInUse } from '#log';

/** Rejects with what is taken. */
export async function requireVacancy(config: Config): Promise<void> {
  if (!config.ephemeral) refuseInUse(config.dataDirectory);
  if (config.port !== 0) await requireFreePort(config.host, config.port);
}

async function requireFreePort(host: string, port: number): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen({ host, port, exclusive: true }), 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    const why =
      code === 'EADDRINUSE'
        ? `port ${port} of ${host} is in use: stop what listens there, or choose one with --port`
        : `cannot listen on port ${port} of ${host}: ${code}`;
    throw new ConfigFault([why], { cause });
  }
  probe.close();
  await once(probe, 'close');
}
