/** Routes and streams of a dialect as they are asked for on the main listener. */
import type { Dialect } from './dialect.ts';
import type { Route } from './endpoint.ts';
import type { Services, StreamServices } from './services.ts';
import type { StreamDialect, StreamPath } from './streams/dialect.ts';

export function mountedRoutes(dialect: Dialect, services: Services): readonly Route[] {
  const { mount } = dialect;
  const routes = dialect.routes(services);
  if (mount === undefined) return routes;
  return routes.map((route): Route => {
    const path = mount.prefix + route.endpoint.path;
    if (route.access === 'public') return { ...route, endpoint: { ...route.endpoint, path } };
    if (route.access === 'signed') return { ...route, endpoint: { ...route.endpoint, path } };
    return { ...route, endpoint: { ...route.endpoint, path } };
  });
}

export function mountedStreams(
  dialect: Dialect,
  services: StreamServices,
): readonly StreamDialect[] {
  const { mount } = dialect;
  const streams = dialect.streams(services);
  if (mount === undefined) return streams;
  const mounted = (one: StreamPath) => ({ ...one, path: mount.prefix + one.path });
  return streams.map((stream) => {
    const [first, ...others] = stream.paths;
    return { ...stream, paths: [mounted(first), ...others.map(mounted)] };
  });
}
