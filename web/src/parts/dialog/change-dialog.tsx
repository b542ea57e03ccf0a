import { ChangeForm, type ChangeFormProps } from './change-form.tsx'
import { ChangeModal, type ChangeModalProps } from './change-modal.tsx'

type Props = ChangeModalProps & Omit<ChangeFormProps, 'onCancel'>

/** Asks for what a change needs, and sends it once. */
export const ChangeDialog = ({ opened, title, size = 'md', change, onClose, ...form }: Props) => (
  <ChangeModal opened={opened} title={title} size={size} change={change} onClose={onClose}>
    <ChangeForm {...form} change={change} onCancel={onClose} />
  </ChangeModal>
)
