import { Modal, Text } from '@mantine/core'
import { t } from '../language/messages.ts'
import { WORDS } from './words-explained.ts'

/** The panel that says what the app’s words mean. */
export const Words = ({ onClose }: { readonly onClose: () => void }) => (
  <Modal opened onClose={onClose} title={t('What the words mean')} size="lg">
    <dl>
      {WORDS.map(({ names, about }) => (
        <div key={names[0]}>
          <Text component="dt" size="sm" fw={600} mt="sm">
            {names[0]}
          </Text>
          <Text component="dd" size="sm" m={0} className="reading">
            {about}
          </Text>
        </div>
      ))}
    </dl>
  </Modal>
)
