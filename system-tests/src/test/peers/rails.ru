# A Rails application on localhost, in one file, which knows nothing of LRWP; it is at the path that AT names.
require "action_controller/railtie"

class Shop < Rails::Application
  config.eager_load = true
  config.secret_key_base = "for this test only"
  config.logger = Logger.new($stderr)
  config.hosts.clear
  config.relative_url_root = ENV["AT"]
  routes.append do
    resources :articles, only: %i[index show]
    root to: "articles#index"
  end
end

Shop.initialize!

class ArticlesController < ActionController::Base
  def index
    render plain: "#{article_path("tea")} #{articles_url} for #{request.remote_ip}\n"
  end

  def show
    render plain: "#{params[:id]}\n"
  end
end

map("/healthz") { run ->(_) { [200, {}, []] } }
map(ENV["AT"]) { run Shop }
