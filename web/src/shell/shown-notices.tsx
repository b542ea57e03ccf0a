import { Notifications } from '@mantine/notifications'

const ShownNotices = () => <Notifications position="bottom-right" />

export default ShownNotices
