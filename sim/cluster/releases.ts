/** The release after this one, planted: two neighbouring releases run together in a cluster. */
import { type ReleaseVersions, THIS_RELEASE } from '#cluster/testing';

/** It reads one version more of what commands do. */
export const NEXT_RELEASE: ReleaseVersions = {
  ...THIS_RELEASE,
  rulesMax: THIS_RELEASE.rulesMax + 1,
};
