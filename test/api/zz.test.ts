import { test, after, before } from 'node:test';
import { House } from './house.ts';
let house: House;
before(async () => { house = await House.open();
 await house.trader('alice', {USDT:'100'}); });
test('x', async () => {});
after(async () => {
  console.log('open');
  await house.app.close(); console.log('app');
  await house.venue.close(); console.log('venue');
  await house.close(); console.log('all');
});
after(() => { setTimeout(() => console.log(process.getActiveResourcesInfo()), 1000).unref(); setTimeout(()=>{},1500); });
