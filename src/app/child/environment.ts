/** The environment of a venue that is started as a process of its own, with its admin token. */

/** A token in the environment does not show in the list of processes, as a flag would. */
export function childEnvironment(adminToken: string): NodeJS.ProcessEnv {
  return { ...process.env, OUTCRY_ADMIN_TOKEN: adminToken };
}
