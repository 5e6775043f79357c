/// What is different about one Dovecot of the tests; equal options share one server.
package struct DovecotOptions: Hashable, Sendable {
  /// The capabilities to announce after login instead of Dovecot's own; nil announces what it can.
  package var capabilities: String?

  /// The hierarchy separator.
  package var separator = "/"

  /// Whether names are free of what a file system allows, such as "a/../b" or names with dots.
  package var hasFreeNames = false

  /// The SASL mechanisms, in Dovecot's words: without SCRAM, which costs both sides more than all else in most tests.
  package var mechanisms = "plain login xoauth2 oauthbearer"

  /// Mailboxes made for every user, with their special use, such as ("Sent", "\\Sent").
  package var specialUse: [String: String] = [:]

  /// Where it asks whose a token is (RFC 7662); nil: it takes tokens that are signed for it.
  package var introspection: String?

  /// Whether it takes a log-in by a certificate that its own authority has signed (EXTERNAL).
  package var verifiesClients = false

  /// More lines for the end of the configuration file.
  package var lines: [String] = []

  /// Dovecot with all it offers, "/" between the parts of a name.
  package init() {}

  /// Everything Dovecot announces after login in its own settings.
  package static let allCapabilities =
    "IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE MULTIAPPEND UNSELECT CHILDREN NAMESPACE UIDPLUS"
    + " LIST-EXTENDED CONDSTORE QRESYNC ESEARCH SEARCHRES WITHIN LIST-STATUS BINARY MOVE"
    + " STATUS=SIZE SAVEDATE LITERAL+ NOTIFY SPECIAL-USE"

  /// The options with some capabilities not announced.
  package func hiding(_ names: String...) -> DovecotOptions {
    var changed = self
    changed.capabilities = (capabilities ?? DovecotOptions.allCapabilities).split(separator: " ")
      .filter { !names.contains(String($0)) }
      .joined(separator: " ")
    return changed
  }

  /// The configuration file for a server whose files lie in `folder`.
  func configuration(folder: String, ports: Dovecot.Ports, owner: Dovecot.Owner) -> String {
    """
    base_dir = \(folder)/run
    state_dir = \(folder)/state
    log_path = \(folder)/log
    protocols = imap
    listen = 127.0.0.1
    default_internal_user = \(owner.user)
    default_internal_group = \(owner.group)
    default_login_user = \(owner.user)
    ssl = yes
    ssl_cert = <\(folder)/cert.pem
    ssl_key = <\(folder)/key.pem
    ssl_dh =
    disable_plaintext_auth = no
    auth_mechanisms = \(mechanisms)
    auth_failure_delay = 0
    mail_max_userip_connections = 1000
    mail_location = maildir:\(folder)/mail/%u\(hasFreeNames ? ":LAYOUT=index" : "")
    mail_uid = \(owner.userNumber)
    mail_gid = \(owner.groupNumber)
    first_valid_uid = 1
    first_valid_gid = 1
    mail_fsync = never
    default_process_limit = 200
    default_client_limit = 2000
    passdb {
      driver = oauth2
      mechanisms = xoauth2 oauthbearer
      args = \(folder)/oauth2.conf
    }
    passdb {
      driver = static
      args = password=pass
    }
    userdb {
      driver = static
      args = home=\(folder)/mail/%u
    }
    service anvil {
      chroot =
      unix_listener anvil-auth-penalty {
        mode = 0
      }
    }
    service stats {
      chroot =
    }
    service imap-login {
      chroot =
      service_count = 0
      inet_listener imap {
        port = \(ports.clear)
      }
      inet_listener imaps {
        port = \(ports.tls)
        ssl = yes
      }
    }
    service imap {
      process_limit = 200
      service_count = 50
    }
    namespace inbox {
      inbox = yes
      separator = \(separator)
    \(specialUse.sorted { $0.key < $1.key }.map(mailbox).joined(separator: "\n"))
    }
    \(capabilities.map { "imap_capability = \($0)" } ?? "")
    \(verifiesClients ? verification(folder) : "")
    \(lines.joined(separator: "\n"))

    """
  }

  private func verification(_ folder: String) -> String {
    """
    ssl_ca = <\(folder)/ca.pem
    ssl_verify_client_cert = yes
    ssl_require_crl = no
    auth_ssl_username_from_cert = yes
    passdb {
      driver = static
      mechanisms = external
      args = nopassword=y
    }
    """
  }

  private func mailbox(_ name: String, _ use: String) -> String {
    """
      mailbox "\(name)" {
        special_use = \(use)
        auto = create
      }
    """
  }
}
