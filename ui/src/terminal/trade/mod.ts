/** Door of the private part of the terminal: orders, positions and money of the account. */
import './trade.css';

export { Balances } from './balances.tsx';
export { Fills } from './fills.tsx';
export { OpenOrders } from './open-orders.tsx';
export { OrderForm } from './order-form.tsx';
export { OrderHistory } from './order-history.tsx';
export { Plans } from './plans.tsx';
export { Positions } from './positions.tsx';
export { TradeWatch } from './trade-watch.tsx';
