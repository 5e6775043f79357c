;;; magnum.el --- search and write mail from Emacs  -*- lexical-binding: t -*-

;; (load "/usr/local/share/doc/magnum/examples/magnum.el")
;;
;; M-x magnum asks for a query (see magnum-query(7)) and lists the threads in which something is found.
;; RET shows the thread, r answers its newest message, R answers all who got that, f passes it on; a archives the thread,
;; d moves it to Trash, ! marks it as read, + and - change its tags, u takes back what was done last; g asks again, s asks
;; for another query, q goes away. M-x magnum-compose writes a message. There C-c C-c sends, C-c C-d keeps a draft, C-c C-k
;; forgets it. M-x magnum-message writes one in message-mode, which signs and encrypts by itself: C-c RET C-s signs it,
;; C-c RET C-c encrypts it. A line "Protect: sign, encrypt" above the text has magnum-compose do the same.

(require 'json)
(require 'let-alist)
(require 'seq)
(require 'subr-x)

(defvar magnum-search-command '("magnum-search" "--limit" "500")
  "The program that searches, and its options.")

(defvar magnum-show-command '("magnum" "show" "--no-pager")
  "The program that shows mail, and its options.")

(defvar magnum-program "magnum"
  "The program that writes mail.")

(defvar magnum-send-program "magnum-send"
  "The program that takes messages that are finished.")

(defvar-local magnum--query nil
  "What the list of this buffer was asked for.")

(define-derived-mode magnum-mode tabulated-list-mode "Magnum"
  "Threads that were found."
  (setq tabulated-list-format [("Date" 13 nil) ("#" 8 nil) ("From" 28 nil) ("Subject" 0 nil)])
  (tabulated-list-init-header)
  (setq-local revert-buffer-function (lambda (&rest _) (magnum magnum--query))))

(define-key magnum-mode-map (kbd "RET") #'magnum-show)
(define-key magnum-mode-map (kbd "s") #'magnum)
(define-key magnum-mode-map (kbd "r") #'magnum-reply)
(define-key magnum-mode-map (kbd "R") #'magnum-reply-all)
(define-key magnum-mode-map (kbd "f") #'magnum-forward)
(define-key magnum-mode-map (kbd "a") #'magnum-archive)
(define-key magnum-mode-map (kbd "d") #'magnum-delete)
(define-key magnum-mode-map (kbd "!") #'magnum-mark-read)
(define-key magnum-mode-map (kbd "+") #'magnum-add-tag)
(define-key magnum-mode-map (kbd "-") #'magnum-remove-tag)
(define-key magnum-mode-map (kbd "u") #'magnum-undo)

(defun magnum--run (command &rest arguments)
  "Give what COMMAND with ARGUMENTS prints, or tell what it complains about."
  (let ((errors (make-temp-file "magnum")) (words (append command arguments)))
    (unwind-protect
        (with-temp-buffer
          (let ((coding-system-for-read 'utf-8))
            (unless (eq 0 (apply #'call-process (car words) nil (list t errors) nil (cdr words)))
              (erase-buffer)
              (insert-file-contents errors)
              (user-error "%s" (string-trim (buffer-string)))))
          (buffer-string))
      (delete-file errors))))

(defun magnum--entry (thread)
  "The line of a THREAD."
  (let-alist thread
    (list .thread
          (vector .date_relative
                  (format "%d/%d" .matched .total)
                  .authors
                  (propertize .subject 'face (if (seq-contains-p .tags "unread") 'bold 'default))))))

(defun magnum (query)
  "List the threads in which QUERY finds something."
  (interactive "sSearch mail: ")
  (let ((threads (json-parse-string
                  (magnum--run magnum-search-command "--format" "json" "--" query)
                  :object-type 'alist :array-type 'list)))
    (with-current-buffer (get-buffer-create "*magnum*")
      (magnum-mode)
      (setq magnum--query query
            tabulated-list-entries (mapcar #'magnum--entry threads))
      (tabulated-list-print t))
    (pop-to-buffer-same-window "*magnum*")
    (message "%d threads" (length threads))))

(defun magnum-show ()
  "Show the thread of this line."
  (interactive)
  (let* ((thread (or (tabulated-list-get-id) (user-error "There is no thread here")))
         (text (magnum--run magnum-show-command (concat "thread:" thread))))
    (with-current-buffer (get-buffer-create "*magnum thread*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert text))
      (goto-char (point-min))
      (view-mode))
    (pop-to-buffer "*magnum thread*")))

;; What is done to threads

(defun magnum--change (&rest arguments)
  "Run magnum with ARGUMENTS, and ask again for what is listed."
  (let ((place (line-number-at-pos)) (text (apply #'magnum--run (list magnum-program) arguments)))
    (magnum magnum--query)
    (goto-char (point-min))
    (forward-line (1- place))
    (message "%s" (string-trim text))))

(defun magnum--thread ()
  "The thread of this line as a query."
  (concat "thread:" (or (tabulated-list-get-id) (user-error "There is no thread here"))))

(defun magnum-archive ()
  "Archive the thread of this line."
  (interactive)
  (magnum--change "archive" (magnum--thread)))

(defun magnum-delete ()
  "Move the thread of this line to Trash."
  (interactive)
  (magnum--change "delete" (magnum--thread)))

(defun magnum-mark-read ()
  "Mark the thread of this line as read."
  (interactive)
  (magnum--change "read" (magnum--thread)))

(defun magnum-add-tag (tag)
  "Add TAG to the thread of this line."
  (interactive "sAdd tag: ")
  (magnum--change "tag" (concat "+" tag) (magnum--thread)))

(defun magnum-remove-tag (tag)
  "Take TAG off the thread of this line."
  (interactive "sRemove tag: ")
  (magnum--change "tag" (concat "-" tag) (magnum--thread)))

(defun magnum-undo ()
  "Take back what was done last."
  (interactive)
  (magnum--change "undo"))

;; Writing

(define-derived-mode magnum-compose-mode text-mode "Magnum compose"
  "A message that is being written: a header, an empty line, the text.")

(define-key magnum-compose-mode-map (kbd "C-c C-c") #'magnum-compose-send)
(define-key magnum-compose-mode-map (kbd "C-c C-d") #'magnum-compose-draft)
(define-key magnum-compose-mode-map (kbd "C-c C-k") #'magnum-compose-forget)

(defun magnum--write (&rest arguments)
  "Edit what magnum with ARGUMENTS prints as a template."
  (let ((text (apply #'magnum--run (list magnum-program) (append arguments '("--template")))))
    (pop-to-buffer (generate-new-buffer "*magnum compose*"))
    (insert text)
    (goto-char (point-min))
    (magnum-compose-mode)
    (set-buffer-modified-p nil)))

(defun magnum--newest ()
  "The newest message of the thread of this line."
  (let ((thread (or (tabulated-list-get-id) (user-error "There is no thread here"))))
    (string-trim (magnum--run magnum-search-command "--output" "messages" "--limit" "1"
                              (concat "thread:" thread)))))

(defun magnum-compose ()
  "Write a message."
  (interactive)
  (magnum--write "compose"))

(defun magnum-reply ()
  "Answer the newest message of this thread."
  (interactive)
  (magnum--write "reply" (magnum--newest)))

(defun magnum-reply-all ()
  "Answer all who got the newest message of this thread."
  (interactive)
  (magnum--write "reply-all" (magnum--newest)))

(defun magnum-forward ()
  "Pass the text of the newest message of this thread on; magnum-compose(1) does so with what is attached."
  (interactive)
  (magnum--write "forward" (magnum--newest)))

(defun magnum--finish (end)
  "Give the message of this buffer to magnum, which does END with it."
  (let ((coding-system-for-write 'utf-8) (coding-system-for-read 'utf-8) (text (buffer-string)))
    (with-temp-buffer
      (unless (eq 0 (call-process-region text nil magnum-program nil t nil "compose" end "-"))
        (user-error "%s" (string-trim (buffer-string))))
      (message "%s" (string-trim (buffer-string)))))
  (set-buffer-modified-p nil)
  (kill-buffer))

(defun magnum-compose-send ()
  "Send the message of this buffer."
  (interactive)
  (magnum--finish "--send"))

(defun magnum-compose-draft ()
  "Keep the message of this buffer as a draft."
  (interactive)
  (magnum--finish "--draft"))

(defun magnum-compose-forget ()
  "Forget the message of this buffer."
  (interactive)
  (when (or (not (buffer-modified-p)) (yes-or-no-p "Forget it? "))
    (set-buffer-modified-p nil)
    (kill-buffer)))

(defvar message-send-mail-function)
(defvar message-sendmail-f-is-evil)
(defvar sendmail-program)
(declare-function message-mail "message")

(defun magnum-message ()
  "Write a message in `message-mode', which signs and encrypts by itself; magnum-send changes no octet of that.
Set `mml-secure-openpgp-sign-with-sender' in your init file, and `mml-secure-openpgp-encrypt-to-self', without which you
cannot read the copy in Sent."
  (interactive)
  (require 'message)
  (require 'mml-sec)
  (require 'sendmail)
  (message-mail)
  (setq-local message-send-mail-function #'message-send-mail-with-sendmail
              message-sendmail-f-is-evil t
              sendmail-program magnum-send-program))

(provide 'magnum)
;;; magnum.el ends here
