;;; magnum.el --- search mail from Emacs  -*- lexical-binding: t -*-

;; (load "/usr/local/share/doc/magnum/examples/magnum.el")
;;
;; M-x magnum asks for a query (see magnum-query(7)) and lists the threads in which something is found.
;; RET shows the thread, g asks again, s asks for another query, q goes away.

(require 'json)
(require 'let-alist)
(require 'seq)
(require 'subr-x)

(defvar magnum-search-command '("magnum-search" "--limit" "500")
  "The program that searches, and its options.")

(defvar magnum-show-command '("magnum" "show" "--no-pager")
  "The program that shows mail, and its options.")

(defvar-local magnum--query nil
  "What the list of this buffer was asked for.")

(define-derived-mode magnum-mode tabulated-list-mode "Magnum"
  "Threads that were found."
  (setq tabulated-list-format [("Date" 13 nil) ("#" 8 nil) ("From" 28 nil) ("Subject" 0 nil)])
  (tabulated-list-init-header)
  (setq-local revert-buffer-function (lambda (&rest _) (magnum magnum--query))))

(define-key magnum-mode-map (kbd "RET") #'magnum-show)
(define-key magnum-mode-map (kbd "s") #'magnum)

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

(provide 'magnum)
;;; magnum.el ends here
