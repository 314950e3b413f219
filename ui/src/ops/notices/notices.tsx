/** What everybody is told: announcements, and maintenance windows in which trading stops. */
import { Announcements } from './announcements.tsx';
import { Maintenance } from './maintenance.tsx';

export function NoticesPage() {
  return (
    <div className="ops-page">
      <Announcements />
      <Maintenance />
    </div>
  );
}
